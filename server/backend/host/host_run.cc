#include "server/backend/host/host_run.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "proto/wire/guarded.h"

namespace thalweg::backend {

HostRun::HostRun(Executor& executor, const world::LevelProgram& program,
                 const world::BlockShape& shape, std::span<const Job> jobs, Placement placement,
                 const RunOptions& options)
    : executor_(executor),
      program_(program),
      shape_(shape),
      kept_(KeptLayers(program, options)),
      jobs_(jobs.begin(), jobs.end()),
      placement_(std::move(placement)),
      scratches_(jobs.size()),
      results_(jobs.size()) {
  const world::BlockShape parent =
      program.level == 0 ? world::BlockShape{} : jobs.front().parent->shape();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto windows = static_cast<int>(placement_.WindowsOf(i));
    if (recorded_.contains(windows)) continue;
    recorded_[windows] = InParts(
        Record(program, shape, parent, windows, RecordingOptionsOf(program, options, windows > 1)),
        std::max(options.parts, 1));
    part_count_ = std::max(part_count_, recorded_[windows].size());
  }
}

absl::Status HostRun::Submit() {
  const std::size_t part = submitted_++;
  std::mutex mutex;
  absl::Status failed;
  executor_.ForEachBlock(jobs_.size(), [&](std::size_t block) {
    const absl::Status computed = wire::Guarded("run level", [&] {
      Compute(block, part);
      return absl::OkStatus();
    });
    const std::lock_guard lock(mutex);
    failed.Update(computed);
  });
  return failed;
}

void HostRun::GatherParent(std::size_t block, std::vector<int>& values) const {
  if (jobs_[block].parent == nullptr) return;
  const HostBlock& parent = HostBlockOf(*jobs_[block].parent);
  const auto side = static_cast<std::ptrdiff_t>(parent.layout().side);
  const std::ptrdiff_t inherited = program_.inherited.Count() * side * side;
  for (std::size_t w = placement_.blocks[block]; w < placement_.blocks[block + 1]; ++w) {
    const auto from =
        parent.values().begin() +
        static_cast<std::ptrdiff_t>(placement_.parent_windows[w]) * parent.layout().size;
    values.insert(values.end(), from, from + inherited);
  }
}

void HostRun::Begin(std::size_t block) {
  const auto count = placement_.WindowsOf(block);
  const auto side = static_cast<std::size_t>(shape_.WindowSide());
  scratches_[block] = std::make_unique<Scratch>(side, count);
  Scratch& scratch = *scratches_[block];
  scratch.elevation().resize(ElevationValues(program_, shape_));
  FillElevation(program_, shape_, std::span(jobs_).subspan(block, 1), scratch.elevation());
  GatherParent(block, scratch.parent());
  results_[block] = std::make_shared<HostBlock>(shape_, kept_, static_cast<int>(count));
}

void HostRun::Compute(std::size_t block, std::size_t part) {
  const auto count = static_cast<int>(placement_.WindowsOf(block));
  const Parts& parts = recorded_.at(count);
  if (part >= parts.size()) return;
  if (part == 0) Begin(block);
  HostBlockState state{scratches_[block]->buffers(), count, program_.OnSphere()};
  state.buffers.jobs = &placement_.windows[placement_.blocks[block]];
  state.buffers.program = program_.instructions.data();
  state.buffers.result = results_[block]->values().data();
  for (const Segment& segment : parts[part]) {
    for (const Dispatch& dispatch : segment.dispatches) executor_.Execute(dispatch, state);
  }
  if (part + 1 == parts.size()) scratches_[block].reset();
}

}  // namespace thalweg::backend
