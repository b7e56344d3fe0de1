#include "tests/session/manual_planner.h"

#include <utility>

namespace thalweg::session {

void ManualPlanner::Post(TimePoint not_before, Work work) {
  const std::lock_guard lock(mutex_);
  queue_.emplace(not_before, std::move(work));
}

int ManualPlanner::RunUntil(TimePoint now) {
  int count = 0;
  while (true) {
    Work work;
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty() || queue_.begin()->first > now) return count;
      work = std::move(queue_.extract(queue_.begin()).mapped());
    }
    std::move(work)();
    ++count;
  }
}

std::size_t ManualPlanner::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

ManualPlanner::TimePoint ManualPlanner::due() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() ? TimePoint::max() : queue_.begin()->first;
}

}  // namespace thalweg::session
