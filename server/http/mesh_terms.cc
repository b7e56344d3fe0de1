#include "server/http/mesh_terms.h"

#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "server/http/parameters.h"

namespace thalweg::http {
namespace {

using geographic::MeshExtensions;

// An element of Accept: a media range and its parameters.
class MediaRange {
 public:
  explicit MediaRange(absl::string_view element) {
    for (const absl::string_view part : absl::StrSplit(element, ';')) {
      parts_.push_back(absl::StripAsciiWhitespace(part));
    }
  }

  bool Is(absl::string_view type) const { return absl::EqualsIgnoreCase(parts_.front(), type); }

  // A parameter's value without quotes; empty if the element does not have it.
  std::optional<absl::string_view> Parameter(absl::string_view name) const {
    for (std::size_t n = 1; n < parts_.size(); ++n) {
      const std::pair<absl::string_view, absl::string_view> pair =
          absl::StrSplit(parts_[n], absl::MaxSplits('=', 1));
      if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(pair.first), name)) continue;
      absl::string_view value = absl::StripAsciiWhitespace(pair.second);
      if (absl::ConsumePrefix(&value, "\"")) absl::ConsumeSuffix(&value, "\"");
      return value;
    }
    return std::nullopt;
  }

  // Whether its weight is above 0; "q=0" and "q=0.000" are not.
  bool IsWanted() const {
    const auto weight = Parameter("q");
    return !weight || weight->empty() || weight->find_first_not_of("0.") != absl::string_view::npos;
  }

 private:
  std::vector<absl::string_view> parts_;
};

std::vector<MediaRange> RangesOf(std::string_view accept) {
  std::vector<MediaRange> ranges;
  for (const absl::string_view element :
       absl::StrSplit(absl::string_view(accept.data(), accept.size()), ',')) {
    ranges.emplace_back(element);
  }
  return ranges;
}

MeshExtensions ExtensionsOf(absl::string_view names) {
  MeshExtensions extensions;
  for (const absl::string_view name : absl::StrSplit(names, '-')) {
    if (name == "octvertexnormals") extensions.normals = true;
    if (name == "watermask") extensions.water_mask = true;
    if (name == "metadata") extensions.metadata = true;
  }
  return extensions;
}

}  // namespace

bool AcceptsMesh(std::string_view accept) {
  if (accept.empty()) return true;
  const std::vector<MediaRange> ranges = RangesOf(accept);
  for (const MediaRange& range : ranges) {
    if (range.Is(kMeshMediaType)) return range.IsWanted();
  }
  for (const MediaRange& range : ranges) {
    const bool is_wide =
        range.Is("application/octet-stream") || range.Is("application/*") || range.Is("*/*");
    if (is_wide && range.IsWanted()) return true;
  }
  return false;
}

absl::StatusOr<MeshExtensions> ParseMeshExtensions(std::string_view accept,
                                                   const std::string* parameter) {
  std::optional<absl::string_view> accepted;
  for (const MediaRange& range : RangesOf(accept)) {
    if (!accepted) accepted = range.Parameter("extensions");
  }
  if (parameter == nullptr) return ExtensionsOf(accepted.value_or(""));
  const MeshExtensions extensions = ExtensionsOf(*parameter);
  if (accepted && ExtensionsOf(*accepted) != extensions) {
    return InvalidText("extensions",
                       absl::StrCat("those of the header Accept, '",
                                    absl::Utf8SafeCHexEscape(*accepted), "', or none"),
                       *parameter);
  }
  return extensions;
}

}  // namespace thalweg::http
