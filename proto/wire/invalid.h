// The form of errors about wrong input.
#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"  // IWYU pragma: export

namespace thalweg::wire {

// Catches exceptions. Our code returns statuses, but the standard library can throw: when memory
// runs out, or after a bug of ours. An exception must not end a thread, and the server with it.
// Calls a function that returns a Status or StatusOr. An exception becomes INTERNAL, with a message
// that begins with the operation.
template <typename Function>
auto Guarded(std::string_view operation, Function&& function) -> decltype(function()) {
  const absl::string_view name(operation.data(), operation.size());
  try {
    return std::forward<Function>(function)();
  } catch (const std::exception& exception) {
    return absl::InternalError(absl::StrCat(name, ": ", exception.what()));
  } catch (...) {
    return absl::InternalError(absl::StrCat(name, ": unknown exception"));
  }
}

// "invalid <what>: expected <expected>, got <got>".
inline absl::Status Invalid(const absl::AlphaNum& what, const absl::AlphaNum& expected,
                            const absl::AlphaNum& got,
                            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
  return absl::Status(code, absl::StrCat("invalid ", what, ": expected ", expected, ", got ", got));
}

// "<what> is missing: expected <expected>".
inline absl::Status Missing(const absl::AlphaNum& what, const absl::AlphaNum& expected) {
  return absl::InvalidArgumentError(absl::StrCat(what, " is missing: expected ", expected));
}

// "<what> is given, but <reason>": the reason says why it may not be.
inline absl::Status Excluded(const absl::AlphaNum& what, const absl::AlphaNum& reason) {
  return absl::InvalidArgumentError(absl::StrCat(what, " is given, but ", reason));
}

}  // namespace thalweg::wire
