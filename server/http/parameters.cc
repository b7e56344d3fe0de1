#include "server/http/parameters.h"

#include <algorithm>
#include <span>

#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "proto/wire/invalid.h"

namespace thalweg::http {

namespace {

// Parameters that pages add so that caches ask again. They change nothing.
constexpr std::string_view kForCaches[] = {"_", "cb", "nocache", "t", "timestamp", "ts", "v"};
// Names under which other servers take a token.
constexpr std::string_view kSecrets[] = {"access_token", "api_key", "apikey", "key", "token"};

bool Has(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

absl::Status InvalidText(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                         absl::string_view got, absl::StatusCode code) {
  return wire::Invalid(what, expected, absl::StrCat("'", absl::Utf8SafeCHexEscape(got), "'"), code);
}

absl::StatusOr<Parameters> Parameters::Parse(const List& list,
                                             const std::vector<std::string_view>& known) {
  Parameters parameters;
  for (const auto& parameter : list) {
    if (Has(kForCaches, parameter.first)) continue;
    if (Has(kSecrets, parameter.first)) {
      return InvalidText("parameter",
                         "a token in the header Authorization, since URLs are logged and shared",
                         parameter.first);
    }
    if (std::find(known.begin(), known.end(), parameter.first) == known.end()) {
      const std::vector<std::string> names(known.begin(), known.end());
      return InvalidText(
          "parameter", names.empty() ? "none" : absl::StrCat("one of ", absl::StrJoin(names, ", ")),
          parameter.first);
    }
    if (parameters.Find(parameter.first) != nullptr) {
      return wire::Invalid(parameter.first, "it only once", "it twice");
    }
    parameters.list_.push_back(parameter);
  }
  return parameters;
}

const std::string* Parameters::Find(std::string_view name) const {
  const auto found = std::find_if(list_.begin(), list_.end(), [name](const auto& parameter) {
    return parameter.first == name;
  });
  return found == list_.end() ? nullptr : &found->second;
}

}  // namespace thalweg::http
