#include "server/sharing/threads.h"

#include <algorithm>

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace thalweg::sharing {

void GiveWay() {
#ifdef __linux__
  // For the calling thread only: on Linux each thread has its own nice value (sched(7)).
  constexpr int kNice = 5;
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNice);
#endif
}

WorkerPool::WorkerPool(int threads, Clock clock) : clock_(std::move(clock)) {
  for (int k = 0; k < std::max(1, threads); ++k) {
    threads_.emplace_back([this](const std::stop_token& stop) { Loop(stop); });
  }
}

void WorkerPool::Queue(std::uint64_t client, FairQueue::Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.Add(client, std::move(work));
  }
  wake_.notify_one();
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void WorkerPool::Loop(const std::stop_token& stop) {
  GiveWay();
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return !queue_.IsEmpty(); })) {
    FairQueue::Taken taken = queue_.Take();
    lock.unlock();
    const auto start = clock_();
    std::move(taken.work)();
    const auto duration = clock_() - start;
    // What the work owns goes before the next work begins.
    taken.work = nullptr;
    lock.lock();
    queue_.Finish(taken.client, taken.estimate, duration);
  }
}

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
