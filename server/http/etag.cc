#include "server/http/etag.h"

#include <xxhash.h>

#include "absl/strings/str_cat.h"

namespace thalweg::http {

std::string EtagOf(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return absl::StrCat("\"", absl::Hex(hash.high64, absl::kZeroPad16),
                      absl::Hex(hash.low64, absl::kZeroPad16), "\"");
}

bool Matches(std::string_view if_none_match, std::string_view etag) {
  const auto trimmed = [](std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::string_view();
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
  };
  // Validators of this server have no commas, so the list can be split at every comma.
  while (!if_none_match.empty()) {
    const std::size_t comma = if_none_match.find(',');
    std::string_view one = trimmed(if_none_match.substr(0, comma));
    if (one == "*") return true;
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == etag) return true;
    if (comma == std::string_view::npos) return false;
    if_none_match.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace thalweg::http
