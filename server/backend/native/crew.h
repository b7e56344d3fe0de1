// Threads that share out the rows of dispatches.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace thalweg::backend::native {

// Used by one thread at a time, which waits: the crew's threads have the priority of the thread
// that made it.
class Crew {
 public:
  // Does the rows from `first` to before `last` of a step. Does not throw.
  using Work = absl::FunctionRef<void(std::size_t step, int first, int last)>;

  // threads: 1 or more. Throws std::system_error if the system makes fewer.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return static_cast<int>(workers_.size()); }

  // Does steps one after the other. A step has as many rows as `rows` says; its work is called for
  // pieces that cover them once, in any order and on any of the threads. Each step sees all that
  // the step before did. Returns when each step was done.
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> Share(std::span<const int> rows, Work work);

 private:
  Crew() = default;

  void Begin();
  void DoSteps();
  // Waits until all threads are here.
  void Meet(std::size_t step, std::uint64_t first_step);

  // Of the steps under way.
  std::span<const int> rows_;
  const Work* work_ = nullptr;
  std::vector<std::atomic<int>> next_;
  std::vector<Clock::time_point> ends_of_steps_;
  std::uint64_t first_step_ = 0;
  // How many threads are done with the step.
  std::atomic<int> arrived_{0};
  // How many steps are done, of all calls together.
  std::atomic<std::uint64_t> done_{0};
  // Grows by one for each call, and when the crew ends.
  std::atomic<std::uint32_t> calls_{0};
  std::atomic<bool> ends_{false};
  std::vector<std::jthread> workers_;
};

}  // namespace thalweg::backend::native
