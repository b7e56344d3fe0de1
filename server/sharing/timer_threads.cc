#include "server/sharing/timer_threads.h"

#include <algorithm>
#include <utility>

#include "server/sharing/give_way.h"

namespace thalweg::sharing {

TimerThreads::TimerThreads(int threads) {
  for (int k = 0; k < std::max(1, threads); ++k) {
    threads_.emplace_back([this](const std::stop_token& stop) { Loop(stop); });
  }
}

TimerThreads::~TimerThreads() {
  threads_.clear();
  // One by one: what they own may post more work.
  while (!queue_.empty()) queue_.extract(queue_.begin());
}

void TimerThreads::Post(TimePoint not_before, Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.emplace(not_before, std::move(work));
  }
  changed_.notify_one();
}

void TimerThreads::Loop(const std::stop_token& stop) {
  GiveWay();
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (queue_.empty()) {
      changed_.wait(lock, stop, [this] { return !queue_.empty(); });
    } else if (const TimePoint due = queue_.begin()->first;
               due > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, stop, due,
                          [this, due] { return queue_.empty() || queue_.begin()->first != due; });
    } else {
      Work work = std::move(queue_.extract(queue_.begin()).mapped());
      // Meanwhile another thread waits for the next work.
      if (!queue_.empty()) changed_.notify_one();
      lock.unlock();
      std::move(work)();
      // The work is destroyed without the lock: it may hold the last reference to a session.
      work = nullptr;
      lock.lock();
    }
  }
}

}  // namespace thalweg::sharing
