#include "server/backend/host/host_backend.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/backend/placement.h"

namespace thalweg::backend {
namespace {

// A block in host memory.
class HostBlock final : public Block {
 public:
  HostBlock(const world::BlockShape& shape, const LayerSet& layers, int windows)
      : Block(shape, layers, windows), layout_(world::ResultLayout::Of(shape, layers)) {
    values_.resize(static_cast<std::size_t>(layout_.size) * static_cast<std::size_t>(windows));
  }

  const world::ResultLayout& layout() const { return layout_; }
  std::vector<std::int32_t>& values() { return values_; }
  const std::vector<std::int32_t>& values() const { return values_; }

 private:
  world::ResultLayout layout_;
  std::vector<std::int32_t> values_;
};

// The block must be one of a backend in host memory.
const HostBlock& HostBlockOf(const Block& block) { return static_cast<const HostBlock&>(block); }

// A run on a backend in host memory. Submit computes the part before it returns. As many blocks as
// the executor computes at once go through all their parts before the next ones begin. Executor and
// pool must outlive the run.
class HostRun final : public PendingRun {
 public:
  HostRun(Executor& executor, ScratchPool& pool, const world::LevelProgram& program,
          const world::BlockShape& shape, std::span<const Job> jobs, Placement placement,
          const RunOptions& options);

  int parts_left() const override { return static_cast<int>(part_count_ - submitted_); }
  absl::Status Submit() override;
  absl::Status Await() override { return absl::OkStatus(); }
  std::vector<std::shared_ptr<const Block>> Take() override {
    return {results_.begin(), results_.end()};
  }

 private:
  using Parts = std::vector<std::vector<Segment>>;

  // The values that the block's windows start from, one window after the other. They are copied
  // unless there is only one.
  const int* ParentOf(std::size_t block, std::vector<int>& copied) const;
  void Begin(std::size_t block);
  void Compute(std::size_t block, std::size_t part);

  Executor& executor_;
  ScratchPool& pool_;
  const world::LevelProgram& program_;
  const world::BlockShape shape_;
  const LayerSet kept_;
  StageTimes* const stage_times_;
  const std::vector<Job> jobs_;
  const Placement placement_;
  // The parts of the recording, by the number of a block's windows.
  std::map<int, Parts> recorded_;
  // How many parts each group of blocks has, and all groups together.
  std::size_t group_parts_ = 0;
  std::size_t part_count_ = 0;
  std::size_t submitted_ = 0;
  // The state of each block between its parts.
  std::vector<std::unique_ptr<Scratch>> scratches_;
  // The values that each block inherits.
  std::vector<const int*> parents_;
  std::vector<std::shared_ptr<HostBlock>> results_;
};

std::size_t DividedUp(std::size_t count, std::size_t by) { return (count + by - 1) / by; }

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

}  // namespace

void Scratch::Resize(std::size_t side, std::size_t windows) {
  using kernels::kLayerPlanes;
  const std::size_t vertices = side * side * windows;
  guard_ = side + 1;
#define THALWEG_STATE(number, Name, name, Type, count) \
  name##_.resize(std::size_t{count} * vertices);
#define THALWEG_GUARDED_STATE(number, Name, name, Type, count) \
  name##_.resize(std::size_t{count} * vertices + 2 * guard_);
#include "shaders/stages/bindings.inc"
}

kernels::Buffers Scratch::buffers() {
  kernels::Buffers buffers;
#define THALWEG_STATE(number, Name, name, Type, count) buffers.name = name##_.data();
#define THALWEG_GUARDED_STATE(number, Name, name, Type, count) \
  buffers.name = name##_.data() + guard_;
#include "shaders/stages/bindings.inc"
  buffers.elevation = elevation_.data();
  return buffers;
}

std::unique_ptr<Scratch> ScratchPool::Take(std::size_t side, std::size_t windows) {
  std::unique_ptr<Scratch> taken;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      taken = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (taken == nullptr) taken = std::make_unique<Scratch>();
  taken->Resize(side, windows);
  return taken;
}

void ScratchPool::Return(std::unique_ptr<Scratch> scratch) {
  const std::lock_guard lock(mutex_);
  if (free_.size() < kept_) free_.push_back(std::move(scratch));
}

HostBackend::HostBackend(std::unique_ptr<Executor> executor, std::string device_name,
                         std::string driver, int max_batch)
    : executor_(std::move(executor)),
      pool_(executor_->blocks_at_once()),
      device_name_(std::move(device_name)),
      driver_(std::move(driver)),
      max_batch_(max_batch) {}

absl::StatusOr<std::unique_ptr<PendingRun>> HostBackend::Begin(const world::LevelProgram& program,
                                                               const world::BlockShape& shape,
                                                               std::span<const Job> jobs,
                                                               const RunOptions& options) {
  THALWEG_ASSIGN_OR_RETURN(Placement placement, PlaceJobs(program, shape, jobs));
  return std::make_unique<HostRun>(*executor_, pool_, program, shape, jobs, std::move(placement),
                                   options);
}

absl::StatusOr<std::vector<CutValues>> HostBackend::ReadCuts(std::span<const Cut> cuts) {
  std::vector<CutValues> values;
  for (const Cut& cut : cuts) {
    THALWEG_RETURN_IF_ERROR(CheckCut(cut));
    const HostBlock& host = HostBlockOf(*cut.block);
    CutValues& copied = values.emplace_back();
    const auto window =
        host.values().begin() + static_cast<std::ptrdiff_t>(cut.window) * host.layout().size;
    for (const Layer layer : cut.layers) {
      const auto plane = cut.block->layers().PlaneOf(layer);
      const auto side = static_cast<std::ptrdiff_t>(host.layout().side);
      auto from = window + (plane * side + cut.rect.y) * side + cut.rect.x;
      std::vector<std::int32_t>& to = copied.planes.emplace_back();
      to.reserve(static_cast<std::size_t>(cut.rect.width) *
                 static_cast<std::size_t>(cut.rect.height));
      for (int row = 0; row < cut.rect.height; ++row, from += side) {
        to.insert(to.end(), from, from + cut.rect.width);
      }
    }
    copied.deviations.assign(window + host.layout().deviation_at, window + host.layout().size);
  }
  return values;
}

absl::StatusOr<std::shared_ptr<const Block>> HostBackend::Upload(
    const world::BlockShape& shape, std::span<const std::int32_t> height,
    std::span<const std::int32_t> flow) {
  THALWEG_RETURN_IF_ERROR(CheckUpload(shape, height.size(), flow.size()));
  auto block = std::make_shared<HostBlock>(shape, kUploadedLayers, 1);
  const std::vector<std::int32_t> planes = UploadedPlanes(height, flow);
  std::copy(planes.begin(), planes.end(), block->values().begin());
  return block;
}

}  // namespace thalweg::backend
