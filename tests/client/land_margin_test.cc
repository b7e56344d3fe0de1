// The land around a raster, and the floor of its sea.
#include "client/tools/import/land_margin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "client/tools/import/land_waters.h"
#include "client/tools/survey/depressions.h"
#include "client/tools/survey/grid.h"
#include "gtest/gtest.h"

namespace thalweg::real_land {
namespace {

using survey::Grid;

constexpr double kCellM = 30;

// Hills of many sizes, and valleys between them.
Grid<double> RandomHills(std::uint64_t seed, int width, int height) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  Grid<double> ground_m = survey::FilledGrid(width, height, 900.0);
  for (double wave = 160; wave > 4; wave /= 1.7) {
    const double turn = 7 * part(random);
    const double phase = 7 * part(random);
    const double east = std::cos(turn) * 6.283 / wave;
    const double south = std::sin(turn) * 6.283 / wave;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const double along = east * x + south * y + phase;
        const double across = south * x - east * y;
        ground_m.At(x, y) += 1.6 * wave * (std::abs(std::sin(along)) + 0.5 * std::sin(across));
      }
    }
  }
  return ground_m;
}

// What is wrong with the land around a raster.
struct Faults {
  // How much higher water stands on the raster than without its margin, and on the margin.
  double dammed_m = 0;
  double hollow_m = 0;
  // The steepest slope that touches the margin, of the raster's steepest.
  double steepness = 0;
  // Streams of 50 cells or more that leave the raster, and those that go on for 100 cells or to the
  // sea.
  int streams = 0;
  int going_on = 0;
};

Faults FaultsOf(const Grid<double>& raster_m, const Grid<double>& land_m,
                std::optional<double> sea_level_m) {
  Faults faults;
  const int margin = (land_m.width - raster_m.width) / 2;
  const auto is_inside = [&](int x, int y) {
    return x >= margin && y >= margin && x < land_m.width - margin && y < land_m.height - margin;
  };
  const survey::Flood alone = FloodFromOutlets(raster_m, sea_level_m);
  const survey::Flood together = FloodFromOutlets(land_m, sea_level_m);
  double steepest = 0;
  double steepest_inside = 0;
  for (int y = 0; y < land_m.height; ++y) {
    for (int x = 0; x < land_m.width; ++x) {
      const double water_m = together.surface_m.At(x, y);
      if (is_inside(x, y)) {
        faults.dammed_m =
            std::max(faults.dammed_m, water_m - alone.surface_m.At(x - margin, y - margin));
      } else {
        faults.hollow_m = std::max(faults.hollow_m, water_m - land_m.At(x, y));
      }
      for (const survey::Step& step : survey::kSteps) {
        const int to_x = std::clamp(x + step.dx, 0, land_m.width - 1);
        const int to_y = std::clamp(y + step.dy, 0, land_m.height - 1);
        const double slope = std::abs(land_m.At(to_x, to_y) - land_m.At(x, y)) / step.length;
        double& most = is_inside(x, y) && is_inside(to_x, to_y) ? steepest_inside : steepest;
        most = std::max(most, slope);
      }
    }
  }
  faults.steepness = steepest / steepest_inside;
  const survey::Drainage own = DrainageOf(raster_m, sea_level_m, 0.25 * kCellM);
  const survey::Drainage drainage = DrainageOf(land_m, sea_level_m, 0.25 * kCellM);
  for (int y = 0; y < raster_m.height; ++y) {
    for (int x = 0; x < raster_m.width; ++x) {
      const std::size_t i = raster_m.Index(x, y);
      if (!raster_m.IsEdge(x, y) || own.area[i] < 50 || own.receiver[i] != survey::kOutlet)
        continue;
      if (sea_level_m && raster_m.values[i] < *sea_level_m) continue;
      ++faults.streams;
      auto at = static_cast<std::int32_t>(land_m.Index(x + margin, y + margin));
      int away = 0;
      while (drainage.receiver[static_cast<std::size_t>(at)] != survey::kOutlet) {
        at = drainage.receiver[static_cast<std::size_t>(at)];
        const int to_x = at % land_m.width;
        const int to_y = at / land_m.width;
        away = std::max({away, margin - to_x, margin - to_y, to_x - land_m.width + 1 + margin,
                         to_y - land_m.height + 1 + margin});
      }
      const bool is_in_sea =
          sea_level_m && land_m.values[static_cast<std::size_t>(at)] < *sea_level_m;
      faults.going_on += away >= 100 || is_in_sea ? 1 : 0;
    }
  }
  return faults;
}

Surroundings PlainBelow(const Grid<double>& raster_m) {
  return {*std::ranges::min_element(raster_m.values) - 2, std::nullopt};
}

TEST(LandMarginTest, TheMarginDamsNoRiver) {
  int streams = 0;
  int going_on = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const int width = 90 + 11 * static_cast<int>(seed);
    const Grid<double> raster_m = RandomHills(seed, width, 230 - 9 * static_cast<int>(seed));
    const Surroundings around = PlainBelow(raster_m);
    const int cells = MarginCells(raster_m, kCellM, around);
    const Grid<double> land_m = WithMargin(raster_m, kCellM, cells, around);
    ASSERT_EQ(land_m.width, raster_m.width + 2 * cells);
    for (int y = 0; y < raster_m.height; ++y) {
      for (int x = 0; x < raster_m.width; ++x) {
        ASSERT_EQ(land_m.At(x + cells, y + cells), raster_m.At(x, y));
      }
    }
    const Faults faults = FaultsOf(raster_m, land_m, std::nullopt);
    EXPECT_LT(faults.dammed_m, 0.5) << "seed " << seed;
    EXPECT_LT(faults.hollow_m, 0.5) << "seed " << seed;
    EXPECT_LT(faults.steepness, 1.2) << "seed " << seed;
    streams += faults.streams;
    going_on += faults.going_on;
  }
  EXPECT_GT(streams, 60);
  // A stream may come back to the raster farther on, and end in a hollow there.
  EXPECT_GE(going_on, streams * 98 / 100) << "of " << streams;
}

// What is measured above finds the faults of a margin that only mirrors the raster.
TEST(LandMarginTest, AMirroredMarginDamsRivers) {
  const Grid<double> raster_m = RandomHills(3, 150, 140);
  constexpr int kCells = 160;
  Grid<double> land_m = survey::FilledGrid(150 + 2 * kCells, 140 + 2 * kCells, 0.0);
  const auto mirrored = [](int at, int count) {
    const int folded = ((at % (2 * count - 2)) + 2 * count - 2) % (2 * count - 2);
    return std::min(folded, 2 * count - 2 - folded);
  };
  for (int y = 0; y < land_m.height; ++y) {
    for (int x = 0; x < land_m.width; ++x) {
      land_m.At(x, y) = raster_m.At(mirrored(x - kCells, 150), mirrored(y - kCells, 140));
    }
  }
  const Faults faults = FaultsOf(raster_m, land_m, std::nullopt);
  EXPECT_GT(faults.dammed_m, 10);
  EXPECT_GT(faults.hollow_m, 10);
  EXPECT_LT(faults.going_on, faults.streams / 2);
}

// A coast: land in the west and a sea in the east go on at their sides.
TEST(LandMarginTest, LandAndSeaContinueInTheMargin) {
  Grid<double> raster_m = RandomHills(5, 160, 150);
  for (int y = 0; y < raster_m.height; ++y) {
    for (int x = 0; x < raster_m.width; ++x) {
      raster_m.At(x, y) = 0.2 * (raster_m.At(x, y) - 900) + 3.0 * (80 - x);
    }
  }
  const Surroundings around{-150, 0.0};
  const Grid<double> land_m = WithMargin(raster_m, kCellM, 160, around);
  const Faults faults = FaultsOf(raster_m, land_m, 0.0);
  EXPECT_LT(faults.dammed_m, 0.5);
  EXPECT_EQ(faults.going_on, faults.streams);
  EXPECT_GT(faults.streams, 5);
  int dry_west = 0;
  int dry_east = 0;
  for (int y = 160; y < 310; ++y) {
    dry_west += land_m.At(5, y) >= 0 ? 1 : 0;
    dry_east += land_m.At(land_m.width - 5, y) >= 0 ? 1 : 0;
  }
  EXPECT_GT(dry_west, 120);
  EXPECT_EQ(dry_east, 0);
}

TEST(SeaFloorTest, FallsFromTheShore) {
  Grid<double> ground_m = survey::FilledGrid(200, 60, 0.0);
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 20; ++x) ground_m.At(x, y) = 12;
  }
  // A pond on the land is as high as the sea, and stays.
  ground_m.At(5, 30) = ground_m.At(6, 30) = 0;
  EXPECT_EQ(MakeSeaFloor(ground_m, kCellM, 0), 180 * 60);
  EXPECT_EQ(ground_m.At(5, 30), 0);
  EXPECT_EQ(ground_m.At(19, 30), 12);
  EXPECT_NEAR(ground_m.At(20, 30), -0.6, 1e-9);
  EXPECT_NEAR(ground_m.At(29, 30), -6, 1e-9);
  EXPECT_EQ(ground_m.At(199, 30), -30);
}

TEST(SeaFloorTest, OtherHeightsDoNotChange) {
  const Grid<double> before_m = RandomHills(9, 80, 70);
  Grid<double> ground_m = before_m;
  EXPECT_EQ(MakeSeaFloor(ground_m, kCellM, 900), 0);
  EXPECT_EQ(ground_m.values, before_m.values);
}

}  // namespace
}  // namespace thalweg::real_land
