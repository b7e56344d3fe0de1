#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "tests/client/surface.h"

namespace thalweg::survey {
namespace {

constexpr std::uint64_t kPitSeed = 11;

Grid<double> TiltedPlane(int side) {
  return Surface(side, [](int x, int y) { return 3 * x + 0.5 * y; });
}

// A plain at 10 m with a bowl in its middle.
Grid<double> Bowl(int side, double radius) {
  return Surface(side, [&](int x, int y) {
    return std::min(10.0, 10 * std::hypot(x - side / 2, y - side / 2) / radius);
  });
}

std::size_t BowlCells(int side, double radius) {
  const Grid<double> bowl = Bowl(side, radius);
  return static_cast<std::size_t>(
      std::count_if(bowl.values.begin(), bowl.values.end(), [](double h) { return h < 10; }));
}

CellShare Depressions(const Grid<double>& ground, const Grid<double>* water = nullptr,
                      std::optional<double> sea_level_m = std::nullopt) {
  return DepressionShare(ground, StandingWater(ground, water, sea_level_m),
                         FloodFromOutlets(ground, sea_level_m));
}

// The filled surface by its definition: each way out has a highest point, and the lowest of them
// counts. Relaxed until nothing changes.
Grid<double> FilledByDefinition(const Grid<double>& ground) {
  Grid<double> filled = ground;
  for (int y = 1; y + 1 < ground.height; ++y) {
    for (int x = 1; x + 1 < ground.width; ++x) filled.At(x, y) = 1e9;
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (int y = 1; y + 1 < ground.height; ++y) {
      for (int x = 1; x + 1 < ground.width; ++x) {
        double lowest = filled.At(x, y);
        for (const Step& step : kSteps) {
          lowest = std::min(lowest, std::max(ground.At(x, y), filled.At(x + step.dx, y + step.dy)));
        }
        changes = changes || lowest < filled.At(x, y);
        filled.At(x, y) = lowest;
      }
    }
  }
  return filled;
}

TEST(FloodTest, FillsAsTheDefinitionSays) {
  SCOPED_TRACE(testing::Message() << "seed " << kPitSeed);
  std::mt19937_64 random(kPitSeed);
  for (int i = 0; i < 20; ++i) {
    const Grid<double> ground =
        Surface(40, [&](int, int) { return static_cast<double>(random() % 50); });
    const Flood flood = FloodFromOutlets(ground, std::nullopt);
    EXPECT_EQ(flood.surface_m.values, FilledByDefinition(ground).values);
  }
}

TEST(FloodTest, ReachesEachCellAfterItsSource) {
  std::mt19937_64 random(kPitSeed);
  const Grid<double> ground =
      Surface(50, [&](int, int) { return static_cast<double>(random() % 9); });
  const Flood flood = FloodFromOutlets(ground, 2.0);
  ASSERT_EQ(flood.order.size(), ground.values.size());
  std::vector<int> turn(ground.values.size(), -1);
  double level = -1e9;
  for (std::size_t i = 0; i < flood.order.size(); ++i) {
    const auto cell = static_cast<std::size_t>(flood.order[i]);
    ASSERT_EQ(turn[cell], -1);
    turn[cell] = static_cast<int>(i);
    EXPECT_GE(flood.surface_m.values[cell], level);
    level = flood.surface_m.values[cell];
    if (flood.source[cell] == kOutlet) continue;
    EXPECT_GE(turn[static_cast<std::size_t>(flood.source[cell])], 0);
  }
}

TEST(FloodTest, TakesEqualCellsInTheOrderInWhichTheyWereFound) {
  std::mt19937_64 random(kPitSeed);
  const Grid<double> ground =
      Surface(50, [&](int, int) { return static_cast<double>(random() % 9) - 4; });
  const Flood flood = FloodFromOutlets(ground, -3.0);
  std::vector<std::int64_t> turn(ground.values.size(), -1);
  // Outlets are found first, row by row, then the neighbours of each cell, step by step.
  const auto found = [&](std::int32_t cell) -> std::int64_t {
    const std::int32_t source = flood.source[static_cast<std::size_t>(cell)];
    if (source == kOutlet) return cell;
    const auto step = std::ranges::find_if(
        kSteps, [&](const Step& to) { return source + Offset(to, ground.width) == cell; });
    return std::ssize(ground.values) + turn[static_cast<std::size_t>(source)] * std::ssize(kSteps) +
           (step - kSteps.begin());
  };
  int equal = 0;
  for (std::size_t i = 0; i < flood.order.size(); ++i) {
    const std::int32_t cell = flood.order[i];
    turn[static_cast<std::size_t>(cell)] = static_cast<std::int64_t>(i);
    if (i == 0) continue;
    const std::int32_t before = flood.order[i - 1];
    if (flood.surface_m.values[static_cast<std::size_t>(before)] !=
        flood.surface_m.values[static_cast<std::size_t>(cell)]) {
      continue;
    }
    ++equal;
    ASSERT_LT(found(before), found(cell)) << i;
  }
  EXPECT_GT(equal, 2000);
}

TEST(PitShareTest, CountsCellsLowerThanAllEightNeighbours) {
  Grid<double> ground = TiltedPlane(34);
  EXPECT_EQ(PitShare(ground, ground).all, 0);
  ground.At(10, 10) -= 100;
  ground.At(20, 7) -= 100;
  EXPECT_DOUBLE_EQ(PitShare(ground, ground).all, 2.0 / (32 * 32));
  // A cell as low as one of its neighbours is not a pit.
  ground.At(21, 7) = ground.At(20, 7);
  EXPECT_DOUBLE_EQ(PitShare(ground, ground).all, 1.0 / (32 * 32));
}

TEST(PitShareTest, ItsDryPartExcludesPitsUnderWater) {
  Grid<double> ground = TiltedPlane(34);
  ground.At(10, 10) -= 100;
  ground.At(20, 7) -= 100;
  Grid<double> water = ground;
  water.At(10, 10) += 1;
  EXPECT_DOUBLE_EQ(PitShare(ground, water).all, 2.0 / (32 * 32));
  EXPECT_DOUBLE_EQ(PitShare(ground, water).outside_lakes, 1.0 / (32 * 32));
}

TEST(DepressionShareTest, IsZeroForATiltedPlaneOrACone) {
  EXPECT_EQ(Depressions(TiltedPlane(64)).all, 0);
  EXPECT_EQ(Depressions(Surface(64, [](int x, int y) { return -std::hypot(x - 30, y - 31); })).all,
            0);
}

TEST(DepressionShareTest, IsTheAreaOfABowl) {
  const CellShare share = Depressions(Bowl(65, 12));
  EXPECT_DOUBLE_EQ(share.all, static_cast<double>(BowlCells(65, 12)) / (65 * 65));
  EXPECT_EQ(share.outside_lakes, share.all);
  EXPECT_NEAR(share.all * 65 * 65, 3.14159 * 144, 20);
}

TEST(DepressionShareTest, IsLessIfTheRimIsNotched) {
  Grid<double> ground = Bowl(65, 12);
  for (int x = 32; x < 65; ++x) ground.At(x, 32) = std::min(ground.At(x, 32), 5.0);
  const CellShare share = Depressions(ground);
  EXPECT_LT(share.all, 0.5 * Depressions(Bowl(65, 12)).all);
  EXPECT_GT(share.all, 0.1 * Depressions(Bowl(65, 12)).all);
}

TEST(DepressionShareTest, ItsDryPartExcludesLakes) {
  const Grid<double> ground = Bowl(65, 12);
  Grid<double> water = ground;
  for (double& level : water.values) level = std::max(level, 10.0);
  const CellShare brimful = Depressions(ground, &water);
  EXPECT_GT(brimful.all, 0.1);
  EXPECT_EQ(brimful.outside_lakes, 0);
  // A lake of half the depth leaves three quarters of the bowl's area dry.
  for (std::size_t i = 0; i < water.values.size(); ++i) {
    water.values[i] = std::max(ground.values[i], 5.0);
  }
  EXPECT_NEAR(Depressions(ground, &water).outside_lakes / brimful.all, 0.75, 0.03);
}

TEST(DepressionShareTest, TreatsTheSeaAsALakeAndAsAnOutlet) {
  // Ground under the sea is an outlet, so nothing above it is filled.
  const CellShare share = Depressions(Bowl(65, 12), nullptr, 2.0);
  EXPECT_EQ(share.all, 0);
  // A bowl above the sea is still a depression.
  EXPECT_GT(Depressions(Bowl(65, 12), nullptr, -1.0).outside_lakes, 0.1);
  const Grid<double> ground = Bowl(65, 12);
  EXPECT_NEAR(WetShare(ground, StandingWater(ground, nullptr, 2.0)) * 65 * 65, 3.14159 * 2.4 * 2.4,
              4);
}

// Two lakes with a dry column between them.
struct TwoLakes {
  Grid<double> ground = Surface(32, [](int x, int) { return x == 16 ? 20.0 : 0.0; });
  Grid<double> water = Surface(32, [](int x, int y) {
    const bool shore = x == 0 || y == 0 || x == 31 || y == 31;
    return x == 16 ? 20.0 : shore ? 0.0 : x < 16 ? 7.0 : 9.0;
  });
};

TEST(LakesTest, AreFlatAtAnyLevel) {
  const TwoLakes lakes;
  const Lakes measured = MeasureLakes(lakes.ground, lakes.water);
  EXPECT_EQ(measured.count, 2);
  EXPECT_EQ(measured.largest_spread_m, 0);
}

TEST(LakesTest, DoNotIncludeTheSea) {
  const TwoLakes lakes;
  EXPECT_EQ(MeasureLakes(lakes.ground, lakes.water, 7.0).count, 1);
  EXPECT_EQ(MeasureLakes(lakes.ground, lakes.water, 6.9).count, 2);
  EXPECT_EQ(MeasureLakes(lakes.ground, lakes.water, 9.0).count, 0);
}

TEST(LakesTest, SlantsAndTouchingLevelsAreNoticed) {
  TwoLakes slanted;
  slanted.water.At(3, 3) += 0.002;
  slanted.water.At(12, 28) -= 0.001;
  EXPECT_NEAR(MeasureLakes(slanted.ground, slanted.water).largest_spread_m, 0.003, 1e-12);
  TwoLakes joined;
  joined.ground.At(16, 12) = 0;
  joined.water.At(16, 12) = 8;
  const Lakes measured = MeasureLakes(joined.ground, joined.water);
  EXPECT_EQ(measured.count, 1);
  EXPECT_EQ(measured.largest_spread_m, 2);
}

}  // namespace
}  // namespace thalweg::survey
