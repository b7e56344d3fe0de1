// The two usual macros for absl::Status, which Debian's Abseil lacks.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the enclosing function with the expression's status unless it is OK.
#define THALWEG_RETURN_IF_ERROR(expression)                                 \
  do {                                                                      \
    if (absl::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#define THALWEG_STATUS_CONCAT_INNER(a, b) a##b
#define THALWEG_STATUS_CONCAT(a, b) THALWEG_STATUS_CONCAT_INNER(a, b)

// Assigns the value of a StatusOr expression, or returns its status.
#define THALWEG_ASSIGN_OR_RETURN(target, expression) \
  THALWEG_ASSIGN_OR_RETURN_INNER(THALWEG_STATUS_CONCAT(status_or_, __LINE__), target, expression)
#define THALWEG_ASSIGN_OR_RETURN_INNER(status_or, target, expression) \
  auto status_or = (expression);                                      \
  if (!status_or.ok()) return std::move(status_or).status();          \
  target = std::move(status_or).value()
