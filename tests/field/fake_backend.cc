#include "tests/field/fake_backend.h"

#include <cstddef>
#include <span>
#include <thread>
#include <utility>

#include "absl/hash/hash.h"
#include "gtest/gtest.h"

namespace thalweg::field {

std::int32_t FakeValue(std::uint32_t world_seed, int level, backend::Layer layer, std::int64_t x,
                       std::int64_t y) {
  // Not absl::Hash: a tile's half million values have to be quick under sanitizers.
  std::uint64_t h = world_seed + static_cast<std::uint64_t>(level) * 0x9e3779b97f4a7c15u +
                    static_cast<std::uint64_t>(layer) * 0xbf58476d1ce4e5b9u;
  h = (h ^ static_cast<std::uint64_t>(x)) * 0x94d049bb133111ebu;
  h = (h ^ (h >> 29) ^ static_cast<std::uint64_t>(y)) * 0xff51afd7ed558ccdu;
  return static_cast<std::int32_t>(h >> 33);
}

class FakeBlock : public backend::Block {
 public:
  FakeBlock(std::shared_ptr<FakeDevice> device, const world::BlockShape& shape,
            const backend::LayerSet& layers)
      : Block(shape, layers), device_(std::move(device)) {
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

  absl::StatusOr<std::vector<std::shared_ptr<const backend::Block>>> Run(
      const world::LevelProgram& program, const world::BlockShape& shape,
      std::span<const backend::Job> jobs, const backend::RunOptions& options) override {
    CheckThread();
    EXPECT_LE(jobs.size(), static_cast<std::size_t>(device_->max_batch_));
    FakeRun run{program.seed_low, program.level, options.layers, {}};
    for (const backend::Job& job : jobs) {
      EXPECT_EQ(job.x % shape.block_cells, 0);
      EXPECT_EQ(job.y % shape.block_cells, 0);
      run.blocks.push_back(
          {job.face, program.level, job.x / shape.block_cells, job.y / shape.block_cells});
    }
    if (absl::Status status = Begin(run); !status.ok()) return status;
    if (options.between && !between_) {
      between_ = true;
      for (int part = 1; part < device_->Parts(options.parts); ++part) options.between();
      between_ = false;
    }
    std::vector<std::shared_ptr<const backend::Block>> blocks;
    for (const backend::Job& job : jobs) {
      if (absl::Status status = CheckParent(program, job); !status.ok()) return status;
      auto block = std::make_shared<FakeBlock>(device_, shape, options.layers);
      block->seed = program.seed_low;
      block->level = program.level;
      block->x = job.x;
      block->y = job.y;
      block->generation = Generation();
      blocks.push_back(std::move(block));
    }
    return blocks;
  }

  absl::Status Read(const backend::Block& block, backend::Layer layer, const backend::Rect& rect,
                    std::span<std::int32_t> values) override {
    CheckThread();
    const auto& fake = static_cast<const FakeBlock&>(block);
    {
      const std::lock_guard lock(device_->mutex_);
      ++device_->reads_;
    }
    EXPECT_TRUE(fake.layers().Contains(layer));
    EXPECT_EQ(values.size(), static_cast<std::size_t>(rect.width * rect.height));
    EXPECT_TRUE(rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= fake.shape().ResultSide() &&
                rect.y + rect.height <= fake.shape().ResultSide());
    if (fake.generation != Generation()) return absl::FailedPreconditionError("a lost block");
    std::size_t at = 0;
    for (int row = 0; row < rect.height; ++row) {
      for (int column = 0; column < rect.width; ++column) {
        values[at++] =
            FakeValue(fake.seed, fake.level, layer, fake.x - fake.shape().apron + rect.x + column,
                      fake.y - fake.shape().apron + rect.y + row);
      }
    }
    return absl::OkStatus();
  }

  // A tile's deviation is 1,000 times its row in the block and its column.
  absl::StatusOr<std::vector<std::int32_t>> ReadDeviations(const backend::Block& block) override {
    CheckThread();
    const int tiles = block.shape().block_cells / 256;
    std::vector<std::int32_t> deviations;
    for (int row = 0; row < tiles; ++row) {
      for (int column = 0; column < tiles; ++column) deviations.push_back(1000 * row + column);
    }
    return deviations;
  }

  absl::StatusOr<std::shared_ptr<const backend::Block>> Upload(
      const world::BlockShape&, std::span<const std::int32_t>,
      std::span<const std::int32_t>) override {
    return absl::UnimplementedError("upload");
  }

 private:
  void CheckThread() {
    if (thread_ == std::thread::id()) thread_ = std::this_thread::get_id();
    EXPECT_EQ(thread_, std::this_thread::get_id());
  }

  int Generation() {
    const std::lock_guard lock(device_->mutex_);
    return device_->generation_;
  }

  // Writes the run down, waits at the gate and fails if it is to.
  absl::Status Begin(const FakeRun& run) {
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
  // Whether a run stands between two of its parts.
  bool between_ = false;
  const std::shared_ptr<FakeDevice> device_;
  std::thread::id thread_;
};

std::unique_ptr<backend::Backend> MakeFakeBackend(std::shared_ptr<FakeDevice> device) {
  return std::make_unique<FakeBackend>(std::move(device));
}

void FakeDevice::RunInParts(int parts) {
  const std::lock_guard lock(mutex_);
  parts_ = parts;
}

int FakeDevice::Parts(int wanted) const {
  const std::lock_guard lock(mutex_);
  return parts_ > 0 ? parts_ : wanted;
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

int FakeDevice::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

}  // namespace thalweg::field
