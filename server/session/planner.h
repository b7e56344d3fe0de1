// Makes the plans of sessions.
#pragma once

#include <chrono>

#include "absl/functional/any_invocable.h"

namespace thalweg::session {

// Choosing a view's tiles takes milliseconds, which the threads that read and write messages must
// not spend. Thread-safe.
class Planner {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Work = absl::AnyInvocable<void() &&>;

  virtual ~Planner() = default;

  // Runs the work once, not before that time, on a thread of its own. Work that still waits when
  // the planner is destroyed is dropped.
  virtual void Post(TimePoint not_before, Work work) = 0;
};

}  // namespace thalweg::session
