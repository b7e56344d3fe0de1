// How many blocks at a time leave room for what may come in between.
#pragma once

#include <chrono>
#include <cstddef>

namespace thalweg::field {

// What was submitted can't be interrupted, so what nobody is in a hurry for is kept short: to about
// 50 ms together, as far as earlier runs tell what a block takes. One block on a slow device, all
// that fit on a fast one. How blocks are batched can't be seen in the terrain. Not thread-safe.
class BatchPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // So many parts are submitted at a time.
  explicit BatchPace(int submitted = 1) : submitted_(submitted) {}

  // So many blocks took so long together.
  void Learn(Duration duration, std::size_t blocks);
  // How many blocks a run without hurry may have, of the most that fit: 1 or more. Each counts for
  // so many of those that were learned.
  int Limit(int max, int weight = 1) const;
  // In how many parts a run of so many blocks is to be done, so that those that are submitted
  // together take no longer.
  int Parts(std::size_t blocks) const;

 private:
  double PartSeconds() const;

  const int submitted_;
  double seconds_a_block_ = 0;
};

}  // namespace thalweg::field
