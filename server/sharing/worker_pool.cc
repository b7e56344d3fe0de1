#include "server/sharing/worker_pool.h"

#include <algorithm>
#include <utility>

#include "server/sharing/give_way.h"

namespace thalweg::sharing {

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

}  // namespace thalweg::sharing
