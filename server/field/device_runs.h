// The batches that a device computes: they are begun, submitted part by part, and awaited.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "server/backend/backend.h"
#include "server/field/block_graph.h"

namespace thalweg::field {

// How large a run, and a part of it, may be, so that urgent work does not wait long. Submitted work
// can't be interrupted. So all submitted work that is urgent should take at most a quarter of a
// second, and what is not urgent about 50 ms, judged by earlier runs: one block on a slow device,
// all that fit on a fast one. Work is in cells; see world/cost.h. The size of batches does not
// change the terrain. Not thread-safe.
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

// Used by the thread that uses the backend. Errors name the batch.
class DeviceRuns {
 public:
  using Clock = std::chrono::steady_clock;

  struct Run {
    Batch batch;
    // About what it costs.
    std::int64_t cells = 0;
    // The number of parts that the run should be split into: see backend::RunOptions.
    int parts = 0;
    // Declared before the pending run, which adds to them until it ends.
    backend::StageTimes stage_times = {};
    // Null until the first part is submitted.
    std::unique_ptr<backend::PendingRun> pending = nullptr;
    // The device's time for the parts that were awaited.
    Clock::duration taken{};

    bool HasNext() const { return pending == nullptr || pending->parts_left() > 0; }
    // About how many of its cells are submitted.
    std::int64_t SubmittedCells() const;
  };
  struct Awaited {
    Run* run;
    absl::Status status;
  };

  // The backend must outlive this.
  explicit DeviceRuns(backend::Backend* backend) : backend_(backend) {}

  bool IsEmpty() const { return runs_.empty(); }
  bool IsFull() const { return runs_.size() == backend::Backend::kMaxRuns; }
  // Whether a run under way costs more than this.
  bool HasOver(std::int64_t cells) const;
  // Adds a run. There must be room.
  Run& Add(Batch batch, int parts);
  // Of the runs that have a part to submit, the first in this order, the newest one of equals; null
  // if there is none.
  using Earlier = absl::FunctionRef<bool(const Run& a, const Run& b)>;
  Run* Next(Earlier earlier);

  // Whether one more part may be submitted.
  bool MaySubmit() const;
  // Submits the run's next part. After an error the run must be removed.
  absl::Status Submit(Run& run);
  // Awaits the oldest submitted part.
  Awaited Await();
  // Whether all the run's parts were awaited.
  bool IsDone(const Run& run) const;
  // Removes a run, after waiting for what the device still does for it.
  void Remove(const Run& run);
  void Clear();

 private:
  // A part that was submitted and not awaited.
  struct Part {
    Run* run;
    Clock::time_point submitted;
  };

  backend::Backend* const backend_;
  std::list<Run> runs_;
  std::deque<Part> parts_;
  // When the last part was done.
  Clock::time_point last_done_{};
};

}  // namespace thalweg::field
