// The costs that are reported to requests.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "server/field/field.h"
#include "server/field/world_plan.h"
#include "tests/field/collector.h"
#include "tests/field/fake_backend.h"
#include "tests/field/test_world.h"

namespace thalweg::field {
namespace {

class MeteringTest : public testing::Test {
 protected:
  void Start(int block_cells = 256) {
    field_ = std::make_unique<Field>(MakeFakeBackend(device_), FieldOptions{block_cells});
    block_cells_ = block_cells;
  }
  // What a block of each of these levels costs.
  std::int64_t CostOf(const std::vector<int>& levels) const {
    WorldPlans plans(block_cells_);
    const auto plan = plans.Of(world_);
    std::int64_t cells = 0;
    for (const int level : levels) cells += plan->CellsOf({0, level, 0, 0});
    return cells;
  }
  // Asks for a tile, and returns what it has cost when Request returns.
  std::int64_t Ask(const wire::TileKey& key,
                   const std::vector<backend::Layer>& layers = {backend::Layer::kHeight}) {
    const std::int64_t before = cells_;
    TileRequest request{world_, key, layers};
    request.meter = [this](std::int64_t cells) { cells_ += cells; };
    last_ = field_->Request(std::move(request), collector_.For(asked_++));
    return cells_ - before;
  }
  void Await() { collector_.Await(static_cast<std::size_t>(asked_)); }

  std::shared_ptr<const world::World> world_ = TestWorld();
  std::shared_ptr<FakeDevice> device_ = std::make_shared<FakeDevice>();
  std::atomic<std::int64_t> cells_ = 0;
  int block_cells_ = 0;
  Collector collector_;
  int asked_ = 0;
  Field::RequestId last_ = 0;
  std::unique_ptr<Field> field_;
};

TEST_F(MeteringTest, TheCostIncludesMissingAncestors) {
  Start();
  EXPECT_EQ(Ask({0, 4, 16, 16}), CostOf({0, 1, 2, 3, 4}));
  Await();
  // The ancestors that the first tile's request has computed are kept.
  EXPECT_EQ(Ask({0, 4, 17, 16}), CostOf({4}));
  EXPECT_EQ(Ask({0, 4, 18, 16}), CostOf({3, 4}));
  Await();
  EXPECT_EQ(Ask({0, 4, 16, 16}), 0);
  EXPECT_EQ(Ask({0, 2, 4, 4}), 0);
  Await();
}

TEST_F(MeteringTest, JoiningARunningComputationCostsNothing) {
  Start();
  device_->Close();
  EXPECT_EQ(Ask({0, 3, 0, 0}), CostOf({0, 1, 2, 3}));
  EXPECT_EQ(Ask({0, 3, 0, 0}), 0);
  EXPECT_EQ(Ask({0, 1, 0, 0}), 0);
  EXPECT_EQ(Ask({0, 3, 1, 0}), CostOf({3}));
  device_->Open();
  Await();
}

TEST_F(MeteringTest, TilesOfOneBlockShareItsCost) {
  Start(1024);
  EXPECT_EQ(Ask({0, 0, 0, 0}), CostOf({0}));
  EXPECT_EQ(Ask({0, 0, 3, 3}), 0);
  EXPECT_EQ(cells_, CostOf({0}));
  Await();
}

// A cancelled request has paid, but nothing of its work is left: the next request pays again.
TEST_F(MeteringTest, CancelledWorkIsChargedAgain) {
  Start();
  device_->Close();
  Ask({0, 0, 50, 50});
  device_->AwaitRunAtGate();
  EXPECT_EQ(Ask({0, 3, 0, 0}), CostOf({0, 1, 2, 3}));
  field_->Cancel(last_);
  EXPECT_EQ(Ask({0, 3, 0, 0}), CostOf({0, 1, 2, 3}));
  device_->Open();
  Await();
}

TEST_F(MeteringTest, ARunForAnotherLayerIsChargedToItsFirstCaller) {
  Start();
  device_->Close();
  EXPECT_EQ(Ask({0, 0, 0, 0}), CostOf({0}));
  device_->AwaitRunAtGate();
  EXPECT_EQ(Ask({0, 0, 0, 0}, {backend::Layer::kSediment}), 0);
  EXPECT_EQ(Ask({0, 0, 0, 0}, {backend::Layer::kSediment}), 0);
  device_->Open();
  Await();
  EXPECT_EQ(cells_, CostOf({0, 0}));
  EXPECT_EQ(device_->TimesComputed({0, 0, 0, 0}), 2);
}

TEST_F(MeteringTest, RepeatsAfterALostDeviceAreFree) {
  Start();
  device_->FailOnce([](const FakeRun& run) { return run.level == 1; },
                    absl::UnavailableError("lost"));
  EXPECT_EQ(Ask({0, 2, 0, 0}), CostOf({0, 1, 2}));
  Await();
  EXPECT_EQ(cells_, CostOf({0, 1, 2}));
  EXPECT_EQ(device_->TimesComputed({0, 0, 0, 0}), 2);
}

// For any order of requests, the sum of the reported costs equals the device's work.
TEST_F(MeteringTest, TheSumOfCostsIsWhatWasComputed) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&random](int count) {
      return static_cast<int>(random() % static_cast<unsigned>(count));
    };
    Start(256 << pick(3));
    cells_ = 0;
    const std::size_t runs_before = device_->runs().size();
    for (int n = 0; n < 300; ++n) {
      const backend::Layer layer =
          pick(2) == 0 ? backend::Layer::kHeight : backend::Layer::kSediment;
      Ask({0, pick(6), pick(8), pick(8)}, {layer});
    }
    Await();
    std::vector<int> levels;
    const std::vector<FakeRun> runs = device_->runs();
    for (std::size_t n = runs_before; n < runs.size(); ++n) {
      levels.insert(levels.end(), runs[n].blocks.size(), runs[n].level);
    }
    EXPECT_EQ(cells_, CostOf(levels)) << "seed " << seed;
    EXPECT_GT(levels.size(), 20u);
  }
}

}  // namespace
}  // namespace thalweg::field
