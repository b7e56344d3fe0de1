#include "server/http/parameters.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace thalweg::http {

absl::StatusOr<Parameters> Parameters::Parse(const List& list,
                                             const std::vector<std::string_view>& known) {
  Parameters parameters;
  for (const auto& parameter : list) {
    const std::string name = absl::Utf8SafeCHexEscape(parameter.first);
    if (std::find(known.begin(), known.end(), parameter.first) == known.end()) {
      const std::vector<std::string> names(known.begin(), known.end());
      return absl::InvalidArgumentError(
          absl::StrCat("parameter '", name, "': this address has ",
                       names.empty() ? "none" : absl::StrCat("only ", absl::StrJoin(names, ", "))));
    }
    if (parameters.Find(parameter.first) != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("parameter '", name, "' is there twice"));
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
