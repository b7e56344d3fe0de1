#include "server/field/device_runs.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/guarded.h"

namespace thalweg::field {
namespace {

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
