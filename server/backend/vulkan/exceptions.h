// Turns Vulkan's exceptions into statuses. Other folders call code that throws only through
// CatchExceptions.
#pragma once

#include <exception>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace thalweg::backend::vulkan {

// The exception as a status that begins with the operation. UNAVAILABLE: the device was lost.
// RESOURCE_EXHAUSTED: out of memory, or of allocations. INTERNAL: anything else.
absl::Status StatusOf(absl::string_view operation, const std::exception& exception);

// Calls a function that returns a Status or StatusOr. An exception becomes the status.
template <typename Function>
auto CatchExceptions(absl::string_view operation, Function&& function) -> decltype(function()) {
  try {
    return std::forward<Function>(function)();
  } catch (const std::exception& exception) {
    return StatusOf(operation, exception);
  }
}

}  // namespace thalweg::backend::vulkan
