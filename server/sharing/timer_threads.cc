#include "server/sharing/timer_threads.h"

#include <algorithm>
#include <utility>

#include "server/sharing/give_way.h"

namespace thalweg::sharing {

TimerThreads::TimerThreads(int threads) : TimerThreads() {
  // An exception here calls the destructor, which joins the threads made so far: the other
  // constructor has already returned.
  for (int k = 0; k < std::max(1, threads); ++k) {
    threads_.emplace_back([this] { Loop(); });
  }
}

TimerThreads::~TimerThreads() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void TimerThreads::Post(TimePoint not_before, Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    queue_.emplace(not_before, std::move(work));
  }
  changed_.notify_one();
}

void TimerThreads::Loop() {
  GiveWay();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (queue_.empty()) {
      changed_.wait(lock);
    } else if (const TimePoint due = queue_.begin()->first;
               due > std::chrono::steady_clock::now()) {
      changed_.wait_until(lock, due);
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
