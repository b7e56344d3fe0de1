// Work that is done later.
#pragma once

#include <chrono>

#include "absl/functional/any_invocable.h"

namespace thalweg::sharing {

// Also for work that takes too long for the threads that read and write messages. Thread-safe.
class Timer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Work = absl::AnyInvocable<void() &&>;

  virtual ~Timer() = default;

  // Runs the work once, not before this time, on a thread of the timer. Destroying the timer drops
  // work that still waits.
  virtual void Post(TimePoint not_before, Work work) = 0;
};

}  // namespace thalweg::sharing
