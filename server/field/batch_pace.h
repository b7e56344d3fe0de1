// How many blocks at a time leave room for what may come in between.
#pragma once

#include <chrono>
#include <cstddef>

namespace thalweg::field {

// Submitted work can't be interrupted, so work that is not urgent is kept short: about 50 ms
// together, judged by earlier runs. That is one block on a slow device, all that fit on a fast one.
// How blocks are batched can't be seen in the terrain. Not thread-safe.
class BatchPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // So many parts are submitted at a time.
  explicit BatchPace(int submitted = 1) : submitted_(submitted) {}

  // A batch of blocks took this long.
  void Learn(Duration duration, std::size_t blocks);
  // How many blocks a run that is not urgent may have, 1 or more, of the `max` that fit. Each costs
  // as much as `weight` blocks that were learned from.
  int Limit(int max, int weight = 1) const;
  // Into how many parts to split a run, so that the parts that are submitted together take no
  // longer.
  int Parts(std::size_t blocks) const;

 private:
  double PartSeconds() const;

  const int submitted_;
  double seconds_a_block_ = 0;
};

}  // namespace thalweg::field
