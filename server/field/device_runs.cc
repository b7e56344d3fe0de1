#include "server/field/device_runs.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"
#include "server/world/cost.h"

namespace thalweg::field {
namespace {

constexpr double kUrgentSeconds = 0.25;
constexpr double kUnhurriedSeconds = 0.05;
constexpr double kLongSeconds = 1;

constexpr double kMaxParts = 1000;

// The weight of the last run in the expected time of the next one.
constexpr double kNewShare = 0.25;

// One job for each block, or one for four siblings.
std::vector<backend::Job> JobsOf(const Batch& batch) {
  std::vector<backend::Job> jobs;
  const std::int64_t cells = batch.plan->BlockCells(batch.level);
  for (std::size_t i = 0; i < batch.blocks.size(); i += batch.BlocksAJob()) {
    const world::BlockKey& key = batch.blocks[i];
    backend::Job job;
    job.face = key.face;
    job.x = key.x * cells;
    job.y = key.y * cells;
    if (key.level > 0) {
      const world::BlockKey parent = batch.plan->ParentOf(key);
      job.parent = batch.parents[i];
      // A parent in a quad begins where the quad's first block begins.
      const std::int64_t parent_cells = batch.plan->BlockCells(parent.level);
      const std::int64_t blocks_in_row = job.parent->shape().block_cells / parent_cells;
      job.parent_x = (parent.x & ~(blocks_in_row - 1)) * parent_cells;
      job.parent_y = (parent.y & ~(blocks_in_row - 1)) * parent_cells;
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// Calls a function of the backend for a batch, and names the batch in its error.
template <typename Function>
absl::Status Call(const Batch& batch, const Function& function) {
  absl::Status status = wire::Guarded("run level", function);
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat("compute ", batch.blocks.size(), " blocks of level ", batch.level, " of world '",
                   batch.plan->world->name(), "': ", status.message()));
}

}  // namespace

BatchPace::BatchPace(int submitted)
    : submitted_(submitted), seconds_a_cell_(world::kNominalSecondsACell) {}

double BatchPace::PartSeconds(bool urgent) const {
  return (urgent ? kUrgentSeconds : kUnhurriedSeconds) / submitted_;
}

void BatchPace::Learn(Duration duration, double cells) {
  if (cells <= 0) return;
  const double seconds = std::chrono::duration<double>(duration).count() / cells;
  const double share = has_learned_ ? kNewShare : 1;
  seconds_a_cell_ = (1 - share) * seconds_a_cell_ + share * seconds;
  has_learned_ = true;
}

int BatchPace::Limit(int max, double window_cells) const {
  const double windows = std::min(PartSeconds(false) / Seconds(window_cells), 1e6);
  return std::clamp(static_cast<int>(windows), 1, std::max(max, 1));
}

std::int64_t BatchPace::LongCells() const {
  return static_cast<std::int64_t>(std::min(kLongSeconds / seconds_a_cell_, 1e18));
}

int BatchPace::Parts(double cells, bool urgent) const {
  return static_cast<int>(
      std::clamp(std::ceil(Seconds(cells) / PartSeconds(urgent)), 1.0, kMaxParts));
}

std::int64_t DeviceRuns::Run::SubmittedCells() const {
  if (pending == nullptr) return 0;
  return cells * (parts - pending->parts_left()) / parts;
}

bool DeviceRuns::HasOver(std::int64_t cells) const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [cells](const Run& run) { return run.cells > cells; });
}

DeviceRuns::Run& DeviceRuns::Add(Batch batch, int parts) {
  const std::int64_t cells = batch.Cells();
  return runs_.emplace_back(Run{std::move(batch), cells, parts});
}

DeviceRuns::Run* DeviceRuns::Next(Earlier earlier) {
  Run* next = nullptr;
  for (Run& run : runs_) {
    if (run.HasNext() && (next == nullptr || !earlier(*next, run))) next = &run;
  }
  return next;
}

bool DeviceRuns::MaySubmit() const {
  return parts_.size() < static_cast<std::size_t>(backend_->MaxSubmitted());
}

absl::Status DeviceRuns::Submit(Run& run) {
  Clock::time_point submitted;
  absl::Status status = Call(run.batch, [&] {
    const Batch& batch = run.batch;
    if (run.pending == nullptr) {
      auto begun = backend_->Begin(
          batch.plan->world->level(batch.level), batch.Shape(), JobsOf(batch),
          {.layers = batch.layers, .stage_times = &run.stage_times, .parts = run.parts});
      if (!begun.ok()) return begun.status();
      run.pending = *std::move(begun);
      run.parts = run.pending->parts_left();
    }
    submitted = Clock::now();
    return run.pending->Submit();
  });
  if (status.ok()) parts_.push_back({&run, submitted});
  return status;
}

DeviceRuns::Awaited DeviceRuns::Await() {
  const auto [run, submitted] = parts_.front();
  absl::Status status = Call(run->batch, [&pending = *run->pending] { return pending.Await(); });
  parts_.pop_front();
  // The part began when it was submitted, or when the part before it was done.
  const Clock::time_point now = Clock::now();
  run->taken += now - std::max(submitted, last_done_);
  last_done_ = now;
  return {run, std::move(status)};
}

bool DeviceRuns::IsDone(const Run& run) const {
  return !run.HasNext() && std::none_of(parts_.begin(), parts_.end(),
                                        [&](const Part& part) { return part.run == &run; });
}

void DeviceRuns::Remove(const Run& run) {
  std::erase_if(parts_, [&](const Part& part) { return part.run == &run; });
  std::erase_if(runs_, [&](const Run& other) { return &other == &run; });
}

void DeviceRuns::Clear() {
  parts_.clear();
  runs_.clear();
}

}  // namespace thalweg::field
