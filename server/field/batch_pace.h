// How large a run may be, so that urgent work does not wait long.
#pragma once

#include <chrono>
#include <cstddef>

namespace thalweg::field {

// Submitted work can't be interrupted. So all submitted work that is not urgent should take about
// 50 ms, judged by earlier runs: one block on a slow device, all that fit on a fast one. The size
// of batches does not change the terrain. Not thread-safe.
class BatchPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // submitted: how many parts are submitted at a time.
  explicit BatchPace(int submitted = 1) : submitted_(submitted) {}

  // Records that a batch of blocks took this long.
  void Learn(Duration duration, std::size_t blocks);
  // How many blocks a run that is not urgent may have, of the `max` that fit: 1 or more. Each costs
  // as much as `weight` of the blocks that Learn measured.
  int Limit(int max, int weight = 1) const;
  // The number of parts to split a run into, so that the submitted parts take no longer.
  int Parts(std::size_t blocks) const;

 private:
  double PartSeconds() const;

  const int submitted_;
  double seconds_a_block_ = 0;
};

}  // namespace thalweg::field
