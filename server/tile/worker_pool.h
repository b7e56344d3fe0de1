// A few threads for work that is too long for the threads that find it.
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

// Thread-safe. First come, first served. Work that throws ends no thread: `done` gets the error.
class WorkerPool {
 public:
  // Starts this number of threads, 1 or more.
  explicit WorkerPool(int threads);
  // Finishes all work and joins.
  ~WorkerPool();

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `make`, which gives a StatusOr, on one of the threads, and `done` with that on the same
  // thread. An exception of `make` becomes INTERNAL, whose message begins with `operation`, a
  // literal. `done` must not throw.
  template <typename Make, typename Done>
  void Post(std::string_view operation, Make make, Done done) {
    Queue([operation, make = std::move(make), done = std::move(done)]() mutable {
      std::move(done)(wire::Guarded(operation, std::move(make)));
    });
  }

  // How many pieces of work wait for a thread.
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
