// The parameters of a request's query: each known, each once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace thalweg::http {

// "invalid <what>: expected <expected>, got '<got>'", which is a text of the caller's.
absl::Status InvalidText(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                         absl::string_view got,
                         absl::StatusCode code = absl::StatusCode::kInvalidArgument);

class Parameters {
 public:
  using List = std::vector<std::pair<std::string, std::string>>;

  // INVALID_ARGUMENT names one that is not among the known ones, or is there twice.
  static absl::StatusOr<Parameters> Parse(const List& list,
                                          const std::vector<std::string_view>& known);

  // Null: it is not there.
  const std::string* Find(std::string_view name) const;

 private:
  List list_;
};

}  // namespace thalweg::http
