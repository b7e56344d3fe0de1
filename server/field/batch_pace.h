// How large a run, and a part of it, may be, so that urgent work does not wait long.
#pragma once

#include <chrono>
#include <cstdint>

namespace thalweg::field {

// Submitted work can't be interrupted. So all submitted work that is urgent should take at most a
// quarter of a second, and what is not urgent about 50 ms, judged by earlier runs: one block on a
// slow device, all that fit on a fast one. Work is in cells; see world/cost.h. The size of batches
// does not change the terrain. Not thread-safe.
class BatchPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // submitted: how many parts are submitted at a time.
  explicit BatchPace(int submitted = 1);

  // Records that a run of this much work took this long.
  void Learn(Duration duration, double cells);
  // How many windows a run that is not urgent may have, of the `max` that fit: 1 or more. Each
  // costs this much.
  int Limit(int max, double window_cells) const;
  // How much work takes so long that a caller would notice to wait for all of it.
  std::int64_t LongCells() const;
  // The number of parts to split a run into, so that the submitted parts take no longer.
  int Parts(double cells, bool urgent) const;

 private:
  double Seconds(double cells) const { return seconds_a_cell_ * cells; }
  double PartSeconds(bool urgent) const;

  const int submitted_;
  // Before the first run: those of two cores, so that a slow device's first run is in parts too.
  double seconds_a_cell_;
  bool has_learned_ = false;
};

}  // namespace thalweg::field
