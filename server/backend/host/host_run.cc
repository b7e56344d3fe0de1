#include "server/backend/host/host_run.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "proto/wire/guarded.h"

namespace thalweg::backend {
namespace {

std::size_t DividedUp(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

}  // namespace

HostRun::HostRun(Executor& executor, ScratchPool& pool, const world::LevelProgram& program,
                 const world::BlockShape& shape, std::span<const Job> jobs, Placement placement,
                 const RunOptions& options)
    : executor_(executor),
      pool_(pool),
      program_(program),
      shape_(shape),
      kept_(KeptLayers(program, options)),
      stage_times_(options.stage_times),
      jobs_(jobs.begin(), jobs.end()),
      placement_(std::move(placement)),
      scratches_(jobs.size()),
      parents_(jobs.size()),
      results_(jobs.size()) {
  const world::BlockShape parent =
      program.level == 0 ? world::BlockShape{} : jobs.front().parent->shape();
  const std::size_t groups = DividedUp(jobs.size(), executor.blocks_at_once());
  const auto parts = static_cast<std::size_t>(std::max(options.parts, 1));
  const auto parts_of_group = static_cast<int>(DividedUp(parts, groups));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto windows = static_cast<int>(placement_.WindowsOf(i));
    if (recorded_.contains(windows)) continue;
    recorded_[windows] = InParts(
        Record(program, shape, parent, windows, RecordingOptionsOf(program, options, windows > 1)),
        parts_of_group);
    group_parts_ = std::max(group_parts_, recorded_[windows].size());
  }
  part_count_ = groups * group_parts_;
}

absl::Status HostRun::Submit() {
  const std::size_t part = submitted_++;
  const std::size_t first = part / group_parts_ * executor_.blocks_at_once();
  const std::size_t count = std::min(executor_.blocks_at_once(), jobs_.size() - first);
  std::mutex mutex;
  absl::Status failed;
  executor_.ForEachBlock(count, [&](std::size_t block) {
    const absl::Status computed = wire::Guarded("run level", [&] {
      Compute(first + block, part % group_parts_);
      return absl::OkStatus();
    });
    const std::lock_guard lock(mutex);
    failed.Update(computed);
  });
  return failed;
}

const int* HostRun::ParentOf(std::size_t block, std::vector<int>& copied) const {
  if (jobs_[block].parent == nullptr) return nullptr;
  const HostBlock& parent = HostBlockOf(*jobs_[block].parent);
  const auto side = static_cast<std::ptrdiff_t>(parent.layout().side);
  const std::ptrdiff_t inherited = program_.inherited.Count() * side * side;
  const auto from = [&](std::size_t window) {
    return parent.values().begin() +
           static_cast<std::ptrdiff_t>(placement_.parent_windows[window]) * parent.layout().size;
  };
  if (placement_.WindowsOf(block) == 1) return &*from(placement_.blocks[block]);
  copied.clear();
  for (std::size_t w = placement_.blocks[block]; w < placement_.blocks[block + 1]; ++w) {
    copied.insert(copied.end(), from(w), from(w) + inherited);
  }
  return copied.data();
}

void HostRun::Begin(std::size_t block) {
  const auto count = placement_.WindowsOf(block);
  const auto side = static_cast<std::size_t>(shape_.WindowSide());
  scratches_[block] = pool_.Take(side, count);
  Scratch& scratch = *scratches_[block];
  scratch.elevation().resize(ElevationValues(program_, shape_));
  FillElevation(program_, shape_, std::span(jobs_).subspan(block, 1), scratch.elevation());
  parents_[block] = ParentOf(block, scratch.parent());
  results_[block] = std::make_shared<HostBlock>(shape_, kept_, static_cast<int>(count));
}

void HostRun::Compute(std::size_t block, std::size_t part) {
  const auto count = static_cast<int>(placement_.WindowsOf(block));
  const Parts& parts = recorded_.at(count);
  if (part >= parts.size()) return;
  if (part == 0) Begin(block);
  HostBlockState state{scratches_[block]->buffers(), count, program_.OnSphere()};
  state.buffers.jobs = &placement_.windows[placement_.blocks[block]];
  state.buffers.parent = parents_[block];
  state.buffers.program = program_.instructions.data();
  state.buffers.result = results_[block]->values().data();
  executor_.Execute(parts[part], state, stage_times_);
  if (part + 1 == parts.size()) pool_.Return(std::move(scratches_[block]));
}

}  // namespace thalweg::backend
