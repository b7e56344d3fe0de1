// A few threads for work that is too long for the threads that find it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"

namespace thalweg::tile {

// Thread-safe. First come, first served.
class WorkerPool {
 public:
  using Work = absl::AnyInvocable<void() &&>;

  // Starts so many threads, 1 or more.
  explicit WorkerPool(int threads);
  // Finishes all work and joins.
  ~WorkerPool();

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Post(Work work);
  // How much waits for a thread.
  std::size_t waiting() const;

 private:
  void Loop();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thalweg::tile
