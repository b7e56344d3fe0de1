#include "server/tile/worker_pool.h"

#include <algorithm>
#include <utility>

#include "server/backend/give_way.h"

namespace thalweg::tile {

WorkerPool::WorkerPool(int threads) {
  for (int k = 0; k < std::max(1, threads); ++k) {
    threads_.emplace_back([this] { Loop(); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::Queue(Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void WorkerPool::Loop() {
  backend::GiveWay();
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Work work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    std::move(work)();
    lock.lock();
  }
}

}  // namespace thalweg::tile
