#include "server/world/world_check.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/base/json_mistake.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/invalid.h"
#include "server/world/constraints.h"
#include "server/world/named_nodes.h"

namespace thalweg::world {
namespace {

constexpr std::uintmax_t kLargestFileBytes = 1 << 20;

using Places = std::map<std::string, std::string>;

// Whether a text begins with a path, or with one below it.
bool BeginsWithPath(absl::string_view text, const std::string& path) {
  if (!absl::StartsWith(text, path)) return false;
  if (text.size() == path.size()) return true;
  const auto next = static_cast<unsigned char>(text[path.size()]);
  return !absl::ascii_isalnum(next) && next != '_';
}

// An error's text, after the place of the field that it names or, if that is missing, of the
// message that lacks it.
std::string Located(absl::string_view error, const Places& places) {
  absl::string_view named = error;
  constexpr absl::string_view kInvalid = "invalid ";
  constexpr absl::string_view kOf = " of ";
  if (absl::StartsWith(named, kInvalid)) named.remove_prefix(kInvalid.size());
  const Places::value_type* found = nullptr;
  const auto look_in = [&](absl::string_view named_from) {
    for (const Places::value_type& place : places) {
      if (!BeginsWithPath(named_from, place.first)) continue;
      if (found == nullptr || place.first.size() > found->first.size()) found = &place;
    }
  };
  look_in(named);
  const std::size_t of = named.find(kOf);
  if (found == nullptr && of != absl::string_view::npos) look_in(named.substr(of + kOf.size()));
  return found == nullptr ? std::string(error) : absl::StrCat(found->second, ": ", error);
}

// Whether a kind is missing only because the one that was written does not exist.
bool FollowsFrom(const std::vector<std::string>& mistakes, absl::string_view error) {
  const std::size_t end = error.find(" is missing: expected one of ");
  if (end == absl::string_view::npos) return false;
  const std::string at = absl::StrCat(": ", error.substr(0, end), ": ");
  return std::ranges::any_of(
      mistakes, [&at](const std::string& mistake) { return absl::StrContains(mistake, at); });
}

// The specification, as far as it can be read.
struct Reading {
  v1::WorldSpec spec;
  Places places;
};

Reading ReadJsonText(const std::string& text, std::vector<std::string>& errors) {
  namespace util = google::protobuf::util;
  Reading reading;
  const std::string bare = text::WithoutComments(text);
  text::JsonReading json = text::ReadJson(bare, *v1::WorldSpec::descriptor());
  errors = std::move(json.mistakes);
  reading.places = std::move(json.places);
  util::JsonParseOptions options;
  // Unknown fields are mistakes by now.
  options.ignore_unknown_fields = true;
  if (util::JsonStringToMessage(bare, &reading.spec, options).ok()) return reading;
  if (errors.empty()) errors.emplace_back(text::WorldFromJson(text).status().message());
  reading.spec.Clear();
  return reading;
}

Reading ReadText(const std::string& text, std::vector<std::string>& errors) {
  if (text::IsWorldJson(text)) return ReadJsonText(text, errors);
  const absl::StatusOr<v1::WorldSpec> spec = text::WorldFromAny(text);
  if (spec.ok()) return {.spec = *spec, .places = {}};
  errors.emplace_back(spec.status().message());
  return {};
}

}  // namespace

absl::StatusOr<std::string> ReadWorldText(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return absl::UnavailableError(absl::StrCat("read: ", error.message()));
  if (bytes > kLargestFileBytes) {
    return wire::Invalid("file", absl::StrCat("max ", kLargestFileBytes, " bytes"), bytes);
  }
  std::string text(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!file)
    return absl::UnavailableError("read: the file ended early; is it still being written?");
  return text;
}

WorldCheck CheckWorldText(const std::string& text, const FindElevation& find) {
  WorldCheck check;
  const Reading reading = ReadText(text, check.errors);
  // Nothing could be read.
  if (!check.errors.empty() && reading.spec.ByteSizeLong() == 0) return check;
  v1::WorldSpec filled = reading.spec;
  const std::vector<std::string> mistakes = check.errors;
  for (const absl::Status& error : FieldErrors(filled)) {
    if (!FollowsFrom(mistakes, error.message()))
      check.errors.push_back(Located(error.message(), reading.places));
  }
  if (!check.errors.empty()) return check;
  absl::StatusOr<std::shared_ptr<const World>> world = World::Create(reading.spec, find);
  if (!world.ok()) {
    absl::string_view message = world.status().message();
    // The author knows which world it is.
    const std::string prefix = absl::StrCat("world '", reading.spec.name(), "': ");
    if (absl::StartsWith(message, prefix)) message.remove_prefix(prefix.size());
    check.errors.push_back(Located(message, reading.places));
    return check;
  }
  check.world = *std::move(world);
  for (const std::string& warning : WarningsOf(check.world->spec())) {
    check.warnings.push_back(Located(warning, reading.places));
  }
  return check;
}

}  // namespace thalweg::world
