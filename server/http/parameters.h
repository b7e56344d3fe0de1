// The parameters of a request's query. Each must be known, and may occur once; those that pages add
// so that caches ask again ("_=1700000000") are left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace thalweg::http {

// "invalid <what>: expected <expected>, got '<got>'"; `got` is the caller's text.
absl::Status InvalidText(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                         absl::string_view got,
                         absl::StatusCode code = absl::StatusCode::kInvalidArgument);

class Parameters {
 public:
  using List = std::vector<std::pair<std::string, std::string>>;

  // INVALID_ARGUMENT names a parameter that is not in `known`, or occurs twice, or is a token.
  static absl::StatusOr<Parameters> Parse(const List& list,
                                          const std::vector<std::string_view>& known);

  // Null if the query does not have it.
  const std::string* Find(std::string_view name) const;

 private:
  List list_;
};

}  // namespace thalweg::http
