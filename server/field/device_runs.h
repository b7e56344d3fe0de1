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
