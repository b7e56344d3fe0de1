#include "tests/field/fake_backend.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>

#include "absl/hash/hash.h"
#include "gtest/gtest.h"

namespace thalweg::field {

std::int32_t FakeValue(std::uint32_t world_seed, int level, backend::Layer layer, std::int64_t x,
                       std::int64_t y) {
  // absl::Hash would be too slow with sanitizers: a tile has half a million values.
  std::uint64_t h = world_seed + static_cast<std::uint64_t>(level) * 0x9e3779b97f4a7c15u +
                    static_cast<std::uint64_t>(layer) * 0xbf58476d1ce4e5b9u;
  h = (h ^ static_cast<std::uint64_t>(x)) * 0x94d049bb133111ebu;
  h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(y)) * 0xff51afd7ed558ccdu;
  return static_cast<std::int32_t>(h >> 33);
}

class FakeBlock : public backend::Block {
 public:
  FakeBlock(std::shared_ptr<FakeDevice> device, const world::BlockShape& shape,
            const backend::LayerSet& layers, int windows)
      : Block(shape, layers, windows), device_(std::move(device)) {
    const std::lock_guard lock(device_->mutex_);
    ++device_->live_blocks_;
  }
  ~FakeBlock() override {
    const std::lock_guard lock(device_->mutex_);
    --device_->live_blocks_;
  }

  std::uint32_t seed = 0;
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  int generation = 0;

 private:
  std::shared_ptr<FakeDevice> device_;
};

class FakeBackend : public backend::Backend {
 public:
  explicit FakeBackend(std::shared_ptr<FakeDevice> device) : device_(std::move(device)) {}

  const std::string& device_name() const override { return name_; }
  const std::string& driver() const override { return name_; }
  int MaxBatch(const world::BlockShape& shape) const override {
    const std::lock_guard lock(device_->mutex_);
    return shape.block_cells > 256 && !device_->takes_quads_ ? 0 : device_->max_batch_;
  }

  int MaxSubmitted() const override {
    const std::lock_guard lock(device_->mutex_);
    return device_->max_submitted_;
  }

  absl::StatusOr<std::unique_ptr<backend::PendingRun>> Begin(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options) override;

  absl::StatusOr<std::vector<backend::CutValues>> ReadCuts(
      std::span<const backend::Cut> cuts) override {
    CheckThread();
    {
      const std::lock_guard lock(device_->mutex_);
      device_->reads_.push_back(static_cast<int>(cuts.size()));
      if (!device_->read_failure_.ok()) {
        return std::exchange(device_->read_failure_, absl::OkStatus());
      }
    }
    std::vector<backend::CutValues> values;
    for (const backend::Cut& cut : cuts) {
      const auto& block = static_cast<const FakeBlock&>(*cut.block);
      if (block.generation != Generation()) return absl::FailedPreconditionError("a lost block");
      EXPECT_TRUE(backend::CheckCut(cut).ok());
      backend::CutValues& copied = values.emplace_back();
      for (const backend::Layer layer : cut.layers) {
        copied.planes.push_back(PlaneOf(block, layer, cut.rect));
      }
      copied.deviations = DeviationsOf(block);
    }
    return values;
  }

  absl::StatusOr<std::shared_ptr<const backend::Block>> Upload(
      const world::BlockShape&, std::span<const std::int32_t>,
      std::span<const std::int32_t>) override {
    return absl::UnimplementedError("upload");
  }

 private:
  class Run;

  static std::vector<std::int32_t> PlaneOf(const FakeBlock& block, backend::Layer layer,
                                           const backend::Rect& rect) {
    std::vector<std::int32_t> plane;
    plane.reserve(static_cast<std::size_t>(rect.width) * static_cast<std::size_t>(rect.height));
    for (int row = 0; row < rect.height; ++row) {
      for (int column = 0; column < rect.width; ++column) {
        plane.push_back(FakeValue(block.seed, block.level, layer,
                                  block.x - block.shape().apron + rect.x + column,
                                  block.y - block.shape().apron + rect.y + row));
      }
    }
    return plane;
  }

  // A tile's deviation is 1,000 times its row in the block and its column.
  static std::vector<std::int32_t> DeviationsOf(const FakeBlock& block) {
    const int tiles = block.shape().block_cells / 256;
    std::vector<std::int32_t> deviations;
    for (int row = 0; row < tiles; ++row) {
      for (int column = 0; column < tiles; ++column) deviations.push_back(1000 * row + column);
    }
    return deviations;
  }

  void CheckThread() {
    if (thread_ == std::thread::id()) thread_ = std::this_thread::get_id();
    EXPECT_EQ(thread_, std::this_thread::get_id());
  }

  int Generation() {
    const std::lock_guard lock(device_->mutex_);
    return device_->generation_;
  }

  // Records the run, waits at the gate, and fails if a test has asked for that.
  absl::Status PassGate(const FakeRun& run) {
    std::unique_lock lock(device_->mutex_);
    device_->runs_.push_back(run);
    device_->at_gate_ = true;
    device_->changed_.notify_all();
    device_->changed_.wait(lock, [this] { return !device_->closed_ || device_->passes_ > 0; });
    if (device_->passes_ > 0) --device_->passes_;
    device_->at_gate_ = false;
    device_->changed_.notify_all();
    for (auto failure = device_->failures_.begin(); failure != device_->failures_.end();
         ++failure) {
      if (!failure->when(run)) continue;
      absl::Status status = failure->status;
      device_->failures_.erase(failure);
      return status;
    }
    return absl::OkStatus();
  }

  absl::Status CheckParent(const world::LevelProgram& program, const backend::Job& job) {
    EXPECT_EQ(job.parent == nullptr, program.level == 0);
    if (job.parent == nullptr) return absl::OkStatus();
    const auto& parent = static_cast<const FakeBlock&>(*job.parent);
    EXPECT_EQ(parent.level, program.level - 1);
    EXPECT_EQ(parent.seed, program.seed_low);
    EXPECT_EQ(parent.x, job.parent_x);
    EXPECT_EQ(parent.y, job.parent_y);
    const int cells = parent.shape().block_cells;
    EXPECT_TRUE(2 * parent.x <= job.x && job.x < 2 * (parent.x + cells));
    EXPECT_TRUE(2 * parent.y <= job.y && job.y < 2 * (parent.y + cells));
    if (parent.generation != Generation()) return absl::FailedPreconditionError("a lost parent");
    return absl::OkStatus();
  }

  const std::string name_ = "fake";
  int runs_ = 0;
  int submitted_ = 0;
  const std::shared_ptr<FakeDevice> device_;
  std::thread::id thread_;
};

// A run that waits at the gate when its first part is submitted.
class FakeBackend::Run final : public backend::PendingRun {
 public:
  Run(FakeBackend* backend, const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options)
      : backend_(backend),
        program_(program),
        shape_(shape),
        jobs_(jobs.begin(), jobs.end()),
        layers_(options.layers),
        parts_left_(backend->device_->Parts(options.parts)) {
    EXPECT_LE(++backend_->runs_, backend::Backend::kMaxRuns);
    run_ = {program.seed_low, program.level, options.layers, {}};
    for (const backend::Job& job : jobs) {
      EXPECT_EQ(job.x % shape.block_cells, 0);
      EXPECT_EQ(job.y % shape.block_cells, 0);
      run_.blocks.push_back(
          {job.face, program.level, job.x / shape.block_cells, job.y / shape.block_cells});
    }
  }
  ~Run() override {
    --backend_->runs_;
    backend_->submitted_ -= submitted_ - awaited_;
  }

  int parts_left() const override { return parts_left_; }

  absl::Status Submit() override {
    backend_->CheckThread();
    EXPECT_GT(parts_left_, 0);
    EXPECT_LE(++backend_->submitted_, backend_->MaxSubmitted());
    {
      const std::lock_guard lock(backend_->device_->mutex_);
      int& peak = backend_->device_->peak_submitted_;
      peak = std::max(peak, backend_->submitted_);
    }
    --parts_left_;
    return submitted_++ == 0 ? backend_->PassGate(run_) : absl::OkStatus();
  }

  absl::Status Await() override {
    backend_->CheckThread();
    EXPECT_LT(awaited_, submitted_);
    ++awaited_;
    --backend_->submitted_;
    if (parts_left_ > 0 || awaited_ < submitted_) return absl::OkStatus();
    for (const backend::Job& job : jobs_) {
      if (absl::Status status = backend_->CheckParent(program_, job); !status.ok()) return status;
      const auto patches =
          program_.surface->PatchesOf(program_.level, shape_, job.face, job.x, job.y);
      auto block = std::make_shared<FakeBlock>(backend_->device_, shape_, layers_,
                                               static_cast<int>(patches.size()));
      block->seed = program_.seed_low;
      block->level = program_.level;
      block->x = job.x;
      block->y = job.y;
      block->generation = backend_->Generation();
      blocks_.push_back(std::move(block));
    }
    return absl::OkStatus();
  }

  std::vector<std::shared_ptr<const backend::Block>> Take() override {
    EXPECT_EQ(blocks_.size(), jobs_.size());
    return std::move(blocks_);
  }

 private:
  FakeBackend* const backend_;
  const world::LevelProgram& program_;
  const world::BlockShape shape_;
  const std::vector<backend::Job> jobs_;
  const backend::LayerSet layers_;
  FakeRun run_;
  int parts_left_ = 0;
  int submitted_ = 0;
  int awaited_ = 0;
  std::vector<std::shared_ptr<const backend::Block>> blocks_;
};

absl::StatusOr<std::unique_ptr<backend::PendingRun>> FakeBackend::Begin(
    const world::LevelProgram& program, const world::BlockShape& shape,
    std::span<const backend::Job> jobs, const backend::RunOptions& options) {
  CheckThread();
  EXPECT_LE(jobs.size(), static_cast<std::size_t>(device_->max_batch_));
  return std::make_unique<Run>(this, program, shape, jobs, options);
}

std::unique_ptr<backend::Backend> MakeFakeBackend(std::shared_ptr<FakeDevice> device) {
  return std::make_unique<FakeBackend>(std::move(device));
}

void FakeDevice::RunInParts(int parts) {
  const std::lock_guard lock(mutex_);
  parts_ = parts;
}

int FakeDevice::Parts(int wanted) const {
  const std::lock_guard lock(mutex_);
  if (wanted == 0) return 1;
  return parts_ > 0 ? parts_ : wanted;
}

void FakeDevice::SubmitSeveral(int most) {
  const std::lock_guard lock(mutex_);
  max_submitted_ = most;
}

void FakeDevice::TakeQuads() {
  const std::lock_guard lock(mutex_);
  takes_quads_ = true;
}

void FakeDevice::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

void FakeDevice::Open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

void FakeDevice::AwaitRunAtGate() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return at_gate_ && passes_ == 0; });
}

void FakeDevice::PassOne() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return at_gate_ && passes_ == 0; });
  ++passes_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return passes_ == 0; });
}

void FakeDevice::FailOnce(std::function<bool(const FakeRun&)> when, absl::Status status) {
  const std::lock_guard lock(mutex_);
  failures_.push_back({std::move(when), std::move(status)});
}

void FakeDevice::Lose() {
  const std::lock_guard lock(mutex_);
  ++generation_;
}

std::vector<FakeRun> FakeDevice::runs() const {
  const std::lock_guard lock(mutex_);
  return runs_;
}

int FakeDevice::TimesComputed(const world::BlockKey& key) const {
  const std::lock_guard lock(mutex_);
  int times = 0;
  for (const FakeRun& run : runs_) {
    for (const world::BlockKey& block : run.blocks) times += block == key ? 1 : 0;
  }
  return times;
}

int FakeDevice::live_blocks() const {
  const std::lock_guard lock(mutex_);
  return live_blocks_;
}

int FakeDevice::peak_submitted() const {
  const std::lock_guard lock(mutex_);
  return peak_submitted_;
}

void FakeDevice::FailReadOnce(absl::Status status) {
  const std::lock_guard lock(mutex_);
  read_failure_ = std::move(status);
}

std::vector<int> FakeDevice::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

}  // namespace thalweg::field
