// A planner whose work runs when a test says so, on the test's thread.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "server/session/planner.h"

namespace thalweg::session {

class ManualPlanner final : public Planner {
 public:
  void Post(TimePoint not_before, Work work) override;

  // Runs what is due until then, and what that posts. Gives how many plans that were.
  int RunUntil(TimePoint now);
  // Runs what waits, whenever it is due, and what that posts.
  int RunAll() { return RunUntil(TimePoint::max()); }

  std::size_t waiting() const;
  // When the first of what waits is due; never when nothing waits.
  TimePoint due() const;

 private:
  mutable std::mutex mutex_;
  std::multimap<TimePoint, Work> queue_;
};

}  // namespace thalweg::session
