#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "client/tools/survey/streams.h"

namespace thalweg::survey {
namespace {

constexpr std::uint64_t kFlowSeed = 23;

Drainage Route(const Grid<double>& ground) {
  return RouteDrainage(FloodFromOutlets(ground, std::nullopt));
}

TEST(DrainageTest, RunsStraightDownAPlane) {
  Grid<double> ground = FilledGrid(20, 12, 0.0);
  for (int y = 0; y < 12; ++y) {
    for (int x = 0; x < 20; ++x) ground.At(x, y) = 100.0 - x;
  }
  const Drainage drainage = Route(ground);
  for (int y = 1; y < 11; ++y) {
    for (int x = 1; x < 19; ++x) {
      const std::size_t cell = ground.Index(x, y);
      EXPECT_EQ(drainage.receiver[cell], static_cast<std::int32_t>(cell) + 1);
      // The edge itself drains away.
      EXPECT_EQ(drainage.area[cell], x);
      EXPECT_EQ(drainage.length[cell], x - 1);
    }
  }
}

TEST(DrainageTest, PrefersTheSteepestToTheLowestNeighbour) {
  Grid<double> ground = FilledGrid(3, 3, 10.0);
  ground.At(1, 1) = 9;
  ground.At(2, 1) = 8;
  ground.At(2, 2) = 7.7;
  EXPECT_EQ(Route(ground).receiver[4], 5);
  ground.At(2, 2) = 7.5;
  EXPECT_EQ(Route(ground).receiver[4], 8);
  EXPECT_DOUBLE_EQ(Route(ground).StepLength(4), std::numbers::sqrt2);
}

TEST(DrainageTest, LosesNoCell) {
  SCOPED_TRACE(testing::Message() << "seed " << kFlowSeed);
  std::mt19937_64 random(kFlowSeed);
  for (int i = 0; i < 10; ++i) {
    // With only six heights, there are many flats and pits.
    Grid<double> ground = FilledGrid(61, 47, 0.0);
    for (double& height : ground.values) height = static_cast<double>(random() % 6);
    const Flood flood = FloodFromOutlets(ground, std::nullopt);
    const Drainage drainage = RouteDrainage(flood);
    std::int64_t out = 0;
    std::vector<bool> seen(ground.values.size(), false);
    for (const std::int32_t cell : drainage.order) {
      const auto from = static_cast<std::size_t>(cell);
      const std::int32_t receiver = drainage.receiver[from];
      seen[from] = true;
      if (receiver == kOutlet) {
        out += drainage.area[from];
        continue;
      }
      EXPECT_TRUE(seen[static_cast<std::size_t>(receiver)]);
      EXPECT_LE(flood.surface_m.values[static_cast<std::size_t>(receiver)],
                flood.surface_m.values[from]);
    }
    EXPECT_EQ(out, 61 * 47);
  }
}

TEST(DrainageTest, LeavesAFlatByTheShortestWay) {
  // A plain with one outlet, in the middle of its southern side.
  Grid<double> ground = FilledGrid(41, 41, 5.0);
  for (int i = 0; i < 41; ++i) {
    for (const auto& [x, y] : {std::pair(i, 0), {i, 40}, {0, i}, {40, i}}) ground.At(x, y) = 9;
  }
  ground.At(20, 40) = 1;
  const Drainage drainage = Route(ground);
  EXPECT_EQ(drainage.area[ground.Index(20, 40)], 39 * 39 + 1);
  EXPECT_LE(drainage.length[ground.Index(20, 40)], 39 * std::numbers::sqrt2);
}

}  // namespace
}  // namespace thalweg::survey
