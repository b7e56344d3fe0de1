// Threads for work that takes long: pools, and timers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "proto/wire/invalid.h"
#include "server/sharing/fair_queue.h"

namespace thalweg::sharing {

// Threads for work that takes too long for the threads that answer calls. Thread-safe. Clients
// share the threads by time (FairQueue): one that posts much work delays its own. An exception ends
// no thread.
class WorkerPool {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  // Starts this number of threads, 1 or more; throws std::system_error if the system makes fewer.
  // `clock` measures work.
  explicit WorkerPool(int threads, Clock clock = &std::chrono::steady_clock::now);
  // Finishes all work and joins the threads.
  ~WorkerPool() = default;

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs `make`, which returns a StatusOr, on one of the threads, and then `done` with the result
  // on the same thread. `client` is a number that tells clients apart; see field::TileRequest. An
  // exception of `make` becomes INTERNAL, with a message that begins with `operation`, a literal.
  // `done` must not throw.
  template <typename Make, typename Done>
  void Post(std::uint64_t client, std::string_view operation, Make make, Done done) {
    Queue(client, [operation, make = std::move(make), done = std::move(done)]() mutable {
      std::move(done)(wire::Guarded(operation, std::move(make)));
    });
  }

  // The number of pieces of work that wait for a thread.
  std::size_t waiting() const;

 private:
  void Queue(std::uint64_t client, FairQueue::Work work);
  void Loop(const std::stop_token& stop);

  const Clock clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  FairQueue queue_;
  // Last: they use the others until they are joined.
  std::vector<std::jthread> threads_;
};

// Lowers the priority of threads that compute, below that of threads that answer calls. From now on
// the calling thread, and threads that it starts, get less of a busy processor: about a third of
// what a thread of normal priority gets. On an idle processor nothing changes. For work of
// milliseconds or more, which would delay answers that take microseconds. Does nothing where
// threads have no priorities (Linux has them: setpriority(2)).
void GiveWay();

// Work that is done later. Also for work that takes too long for the threads that read and write
// messages. Thread-safe.
class Timer {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Work = absl::AnyInvocable<void() &&>;

  virtual ~Timer() = default;

  // Runs the work once, not before this time, on a thread of the timer. Destroying the timer drops
  // work that still waits.
  virtual void Post(TimePoint not_before, Work work) = 0;
};

// The threads of a timer. Runs work in the order of its time; work of the same time in the order in
// which it was posted.
class TimerThreads final : public Timer {
 public:
  // Starts this number of threads, 1 or more; throws std::system_error if the system makes fewer.
  explicit TimerThreads(int threads);
  // Finishes running work and joins the threads.
  ~TimerThreads() override;

  TimerThreads(const TimerThreads&) = delete;
  TimerThreads& operator=(const TimerThreads&) = delete;

  void Post(TimePoint not_before, Work work) override;

 private:
  void Loop(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<TimePoint, Work> queue_;
  // Last: they use the others until they are joined.
  std::vector<std::jthread> threads_;
};

}  // namespace thalweg::sharing
