// The form of errors about wrong input.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"  // IWYU pragma: export

namespace thalweg::wire {

// "invalid <what>: expected <expected>, got <got>".
inline absl::Status Invalid(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                            const absl::AlphaNum& got,
                            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
  return absl::Status(code, absl::StrCat("invalid ", what, ": expected ", expected, ", got ", got));
}

}  // namespace thalweg::wire
