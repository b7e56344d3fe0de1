// Threads for work that takes too long for the threads that answer calls.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "proto/wire/guarded.h"

namespace thalweg::tile {

// Thread-safe. Work is done in the order of its arrival. An exception ends no thread.
class WorkerPool {
 public:
  // Starts this number of threads, 1 or more.
  explicit WorkerPool(int threads);
  // Finishes all work and joins the threads.
  ~WorkerPool();

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `make`, which returns a StatusOr, on one of the threads, and then `done` with the result
  // on the same thread. An exception of `make` becomes INTERNAL, with a message that begins with
  // `operation`, a literal. `done` must not throw.
  template <typename Make, typename Done>
  void Post(std::string_view operation, Make make, Done done) {
    Queue([operation, make = std::move(make), done = std::move(done)]() mutable {
      std::move(done)(wire::Guarded(operation, std::move(make)));
    });
  }

  // The number of pieces of work that wait for a thread.
  std::size_t waiting() const;

 private:
  using Work = absl::AnyInvocable<void() &&>;

  void Queue(Work work);
  void Loop();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace thalweg::tile
