// A timer whose work runs when a test says so, on the test's thread.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "server/sharing/threads.h"

namespace thalweg::sharing {

class ManualTimer final : public Timer {
 public:
  void Post(TimePoint not_before, Work work) override;

  // Runs the work that is due by `now`, and work that it posts. Returns how many pieces of work
  // that were.
  int RunUntil(TimePoint now);
  // Runs all waiting work, whenever it is due, and work that it posts.
  int RunAll() { return RunUntil(TimePoint::max()); }

  std::size_t waiting() const;
  // When the first waiting work is due; TimePoint::max() if none waits.
  TimePoint due() const;

 private:
  mutable std::mutex mutex_;
  std::multimap<TimePoint, Work> queue_;
};

}  // namespace thalweg::sharing
