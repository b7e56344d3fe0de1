// Threads that share out the rows of a dispatch.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace thalweg::backend::native {

// Used by one thread at a time, which waits: the crew's threads have the priority of the thread
// that made it.
class Crew {
 public:
  // threads: 1 or more.
  explicit Crew(int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return static_cast<int>(workers_.size()); }

  // Calls work(first, last) for pieces that cover 0 to count once, in any order and on any of the
  // threads. Returns when all are done. Work does not throw.
  void Share(int count, absl::FunctionRef<void(int first, int last)> work);

 private:
  void Work();

  // Of the work under way.
  const absl::FunctionRef<void(int, int)>* work_ = nullptr;
  int count_ = 0;
  int piece_ = 0;
  std::atomic<int> next_{0};
  std::atomic<int> busy_{0};
  // Grows by one for each work, and when the crew ends.
  std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> ends_{false};
  std::vector<std::jthread> workers_;
};

}  // namespace thalweg::backend::native
