// A halo of the summed reaches is enough, and less is not.
#include <algorithm>
#include <map>
#include <span>

#include "gtest/gtest.h"
#include "tests/parity/backends.h"
#include "tests/parity/compare.h"
#include "tests/parity/random_world.h"
#include "tests/size.h"

namespace thalweg::parity {
namespace {

constexpr int kHaloCore = 48;
constexpr int kBeyond = 12;
constexpr double kHaloCell = 8;

// A parent's side. Its block, (side - 1) / 2 with an apron of a quarter, covers any window here.
int ParentSide(const world::LevelProgram& program) {
  const int apron = program.HaloCells() + kBeyond + 8;
  return 4 * apron + 1;
}

class HaloTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    backend_ = BackendOf(GetParam());
    ASSERT_NE(backend_, nullptr);
  }

  // Every layer of the last level's core. The parent's ground that is more than `trusted` cells
  // away from the core is replaced by +-1,000 m of noise. The window reaches kBeyond cells further
  // than the stages need.
  std::vector<std::int32_t> Core(const world::LevelProgram& program,
                                 const std::vector<std::int32_t>& ground, int side, int trusted,
                                 std::uint64_t poison, int less_of_parent = 0) {
    const world::BlockShape shape{kHaloCore, 0, program.HaloCells() + kBeyond};
    const world::BlockShape parent_shape{(side - 1) / 2, (side - 1) / 4, 0};
    Random random(poison);
    std::vector<std::int32_t> height = ground;
    std::vector<std::int32_t> flow(height.size());
    // A child vertex x reads its parents from x / 2 - r + 1 to x / 2 + r, or is interpolated from
    // x / 2 - 1 to x / 2 + 2.
    const int reach = (program.StartsWithStage() ? program.ParentReachCells() : 2) - less_of_parent;
    const int first = parent_shape.apron - (trusted + 1) / 2 - reach + 1;
    const int last = parent_shape.apron + (kHaloCore + trusted) / 2 + reach;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (x >= first && x <= last && y >= first && y <= last) continue;
        const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                       static_cast<std::size_t>(x);
        height[i] = std::uniform_int_distribution<std::int32_t>(-65'536'000, 65'536'000)(random);
        flow[i] = std::uniform_int_distribution<std::int32_t>(0, 1 << 20)(random);
      }
    }
    auto parent = backend_->Upload(parent_shape, height, flow);
    EXPECT_TRUE(parent.ok()) << parent.status();
    const backend::Job job{0, 0, 0, *parent, 0, 0};
    constexpr backend::LayerSet kLayers = backend::LayerSet::All();
    auto blocks = backend_->Run(program, shape, {&job, 1}, {.layers = kLayers});
    EXPECT_TRUE(blocks.ok()) << blocks.status();
    // Plane after plane.
    constexpr std::size_t kPlane = (kHaloCore + 1) * (kHaloCore + 1);
    std::vector<std::int32_t> core(kPlane * static_cast<std::size_t>(kLayers.Count()));
    std::size_t at = 0;
    for (const backend::Layer layer : kLayers.List()) {
      const absl::Status status =
          backend_->Read(*blocks->front(), layer, {0, 0, kHaloCore + 1, kHaloCore + 1},
                         std::span(core).subspan(at, kPlane));
      EXPECT_TRUE(status.ok()) << status;
      at += kPlane;
    }
    return core;
  }

  // How poison in all ground that is more than `trusted` cells away changes random ground's core.
  std::string DifferenceByPoison(const world::LevelProgram& program, int trusted, Random& random) {
    const int side = ParentSide(program);
    const auto ground = RoughGround(random, side, 2 * kHaloCell);
    const int everything = program.HaloCells() + kBeyond + 8;
    return Difference(Core(program, ground, side, everything, 0),
                      Core(program, ground, side, trusted, random()), kHaloCore + 1);
  }

  backend::Backend* backend_ = nullptr;
};

// Some of the kinds, one after the other: so few that a level may have them, whatever they reach.
std::vector<v1::Stage> Stages(Random& random) {
  constexpr int kKinds = 3;
  auto kinds = EveryKind(random, 12);
  std::shuffle(kinds.begin(), kinds.end(), random);
  std::vector<v1::Stage> stages;
  for (int i = 0; i < kKinds; ++i) {
    for (const v1::Stage& stage : kinds[static_cast<std::size_t>(i)]) stages.push_back(stage);
  }
  // The ground has a rule of its own.
  const auto ground = std::find_if(stages.begin(), stages.end(),
                                   [](const v1::Stage& stage) { return stage.has_ground(); });
  if (ground != stages.end()) return {*ground};
  return stages;
}

TEST_P(HaloTest, PoisonBeyondTheHaloIsInvisible) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(4U, 12U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto world = WorldOf(Stages(random), kHaloCell, seed);
    const auto& program = world->programs().back();
    EXPECT_EQ(DifferenceByPoison(program, program.HaloCells(), random), "");
  }
}

// Tests each stage without others: another's larger reach could hide its fault.
TEST_P(HaloTest, PoisonBeyondEachStagesReachIsInvisible) {
  for (std::uint64_t seed = 1; seed <= FewOrAll(4U, 12U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    for (const auto& stages : EveryKind(random, 12)) {
      SCOPED_TRACE(TextOf(stages));
      const auto world = WorldOf(stages, kHaloCell, seed);
      const auto& program = world->programs().back();
      EXPECT_EQ(DifferenceByPoison(program, program.HaloCells(), random), "");
    }
  }
}

// The twin: a quarter of each stage's reach is too little for at least one of the seeds.
TEST_P(HaloTest, PoisonWithinAQuarterOfAReachIsNoticed) {
  std::map<std::size_t, int> seen;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    const auto kinds = EveryKind(random, 12);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      if (seen[kind] > 0 && !IsExhaustive()) continue;
      const auto world = WorldOf(kinds[kind], kHaloCell, seed);
      const auto& program = world->programs().back();
      // Each kind has its own random numbers: a new kind does not change those of the others.
      Random ground(seed);
      if (!DifferenceByPoison(program, program.HaloCells() / 4, ground).empty()) ++seen[kind];
    }
  }
  Random random(1);
  const auto kinds = EveryKind(random, 12);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    // A stage that reads no neighbours needs no halo.
    if (WorldOf(kinds[kind], kHaloCell, 1)->programs().back().HaloCells() == 0) continue;
    EXPECT_GT(seen[kind], 0) << TextOf(kinds[kind]);
  }
}

// The same for what a stage reads of its parent: with a vertex less on either side poison is seen.
TEST_P(HaloTest, PoisonWithinReachInTheParentIsNoticed) {
  Random random(1);
  for (const auto& stages : EveryKind(random, 12)) {
    SCOPED_TRACE(TextOf(stages));
    const auto world = WorldOf(stages, kHaloCell, 1);
    const auto& program = world->programs().back();
    if (!program.StartsWithStage() || !stages.front().ground().has_gullies()) continue;
    const int side = ParentSide(program);
    const auto ground = RoughGround(random, side, 2 * kHaloCell);
    const std::uint64_t poison = random();
    EXPECT_EQ(Difference(Core(program, ground, side, 0, 1), Core(program, ground, side, 0, poison),
                         kHaloCore + 1),
              "");
    EXPECT_NE(Difference(Core(program, ground, side, 0, 1),
                         Core(program, ground, side, 0, poison, 1), kHaloCore + 1),
              "");
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, HaloTest, kDevices, NameOfDevice);

}  // namespace
}  // namespace thalweg::parity
