#include "tests/sharing/manual_timer.h"

#include <utility>

namespace thalweg::sharing {

void ManualTimer::Post(TimePoint not_before, Work work) {
  const std::lock_guard lock(mutex_);
  queue_.emplace(not_before, std::move(work));
}

int ManualTimer::RunUntil(TimePoint now) {
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

std::size_t ManualTimer::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

ManualTimer::TimePoint ManualTimer::due() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() ? TimePoint::max() : queue_.begin()->first;
}

}  // namespace thalweg::sharing
