// Makes the plans of sessions.
#pragma once

#include <chrono>

#include "absl/functional/any_invocable.h"

namespace thalweg::session {

// Choosing a view's tiles takes milliseconds, and the threads that read and write messages must not
// spend them. Thread-safe.
class Planner {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Work = absl::AnyInvocable<void() &&>;

  virtual ~Planner() = default;

  // Runs the work once, not before this time, on a thread of the planner. Destroying the planner
  // drops work that still waits.
  virtual void Post(TimePoint not_before, Work work) = 0;
};

}  // namespace thalweg::session
