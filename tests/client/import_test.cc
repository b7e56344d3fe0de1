// Real land as a world: rivers, sheets and the specification.
#include <cmath>
#include <random>

#include "client/tools/import/land_spec.h"
#include "client/tools/import/land_waters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace thalweg::real_land {
namespace {

using survey::Drainage;
using survey::Grid;
using survey::kOutlet;

constexpr double kCell = 30;

// Hills with hollows and flats. Heights are whole metres.
Grid<double> RandomLand(std::uint64_t seed, int width, int height) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> part(0, 1);
  const double a = 0.02 + 0.1 * part(random);
  const double b = 0.02 + 0.1 * part(random);
  Grid<double> ground_m{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double hills = 80 * std::sin(a * x + b * y) * std::cos(b * x - a * y);
      ground_m.values.push_back(std::floor(500 + 2 * x + hills + 6 * part(random)));
    }
  }
  return ground_m;
}

std::vector<std::int32_t> Units(const Grid<double>& ground_m) {
  std::vector<std::int32_t> units;
  for (const double height_m : ground_m.values)
    units.push_back(static_cast<std::int32_t>(height_m * 65536));
  return units;
}

TEST(LandRiversTest, AllWaterReachesAnOutlet) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Grid<double> ground_m = RandomLand(seed, 70 + static_cast<int>(seed), 90);
    const Drainage drainage = DrainageOf(ground_m, std::nullopt, 0.25 * kCell);
    std::int64_t ended = 0;
    for (std::size_t i = 0; i < drainage.receiver.size(); ++i) {
      if (drainage.receiver[i] == kOutlet) ended += drainage.area[i];
    }
    EXPECT_EQ(ended, static_cast<std::int64_t>(ground_m.values.size())) << "seed " << seed;
  }
}

TEST(LandRiversTest, FillsOnlyShallowHollows) {
  // A slope with two hollows, which are 3 m and 30 m deep.
  Grid<double> ground_m{60, 20, {}};
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 60; ++x) ground_m.values.push_back(100 + x);
  }
  ground_m.At(20, 10) -= 3;
  ground_m.At(40, 10) -= 30;
  const Drainage drainage = DrainageOf(ground_m, std::nullopt, 0.25 * kCell);
  EXPECT_NE(drainage.receiver[ground_m.Index(20, 10)], kOutlet);
  EXPECT_EQ(drainage.receiver[ground_m.Index(40, 10)], kOutlet);
  std::vector<std::int32_t> ground = Units(ground_m);
  LetWaterFall(drainage, 8, ground);
  EXPECT_GT(ground[ground_m.Index(20, 10)], static_cast<std::int32_t>(117 * 65536));
  EXPECT_EQ(ground[ground_m.Index(40, 10)], static_cast<std::int32_t>(110 * 65536));
}

TEST(LandRiversTest, EveryPathOfWaterFalls) {
  constexpr std::int32_t kFall = 100;
  for (std::uint64_t seed = 21; seed <= 30; ++seed) {
    const Grid<double> ground_m = RandomLand(seed, 64, 64);
    const Drainage drainage = DrainageOf(ground_m, std::nullopt, 0.25 * kCell);
    const std::vector<std::int32_t> before = Units(ground_m);
    std::vector<std::int32_t> after = before;
    LetWaterFall(drainage, kFall, after);
    // Some steps did not fall enough before. Otherwise this would prove nothing.
    int rising = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_GE(after[i], before[i]);
      const std::int32_t receiver = drainage.receiver[i];
      if (receiver == kOutlet) continue;
      const auto to = static_cast<std::size_t>(receiver);
      EXPECT_GE(after[i] - after[to], kFall);
      rising += before[i] - before[to] < kFall ? 1 : 0;
    }
    EXPECT_GT(rising, 0) << "seed " << seed;
  }
}

// If the slopes of land obey a law, its parameters are found.
TEST(LandRiversTest, FindsTheLawOfSlopes) {
  constexpr int kWidth = 400;
  constexpr double kSteepness = 20;
  // A valley along the middle row. Its sides drain straight into it.
  Grid<double> ground_m = survey::FilledGrid(kWidth, 41, 0.0);
  double bed_m = 100;
  for (int x = 0; x < kWidth; ++x) {
    const double area_m2 = 41.0 * (kWidth - x) * kCell * kCell;
    bed_m += kCell * kSteepness * std::pow(area_m2, -0.45);
    for (int y = 0; y < 41; ++y) ground_m.At(x, y) = bed_m + 12 * std::abs(y - 20);
  }
  const Drainage drainage = DrainageOf(ground_m, std::nullopt, 0.25 * kCell);
  const SlopeLaw law = FitSlopeLaw(ground_m, drainage, kCell);
  EXPECT_NEAR(law.steepness, kSteepness, 0.2 * kSteepness);
  const std::vector<int> codes = SteepnessCodes(ground_m, drainage, kCell, law);
  constexpr std::size_t kAlong = 20 * kWidth + 200;
  EXPECT_NEAR(codes[kAlong], 128 + 16 * std::log2(kSteepness / law.steepness), 5);
}

TEST(LandSheetsTest, EqualTheRasterAtEveryStep) {
  const Grid<double> ground_m = RandomLand(41, 101, 84);
  const Land land = LandOf(ground_m, 0, kCell, 3, std::nullopt);
  ASSERT_EQ(land.sheets.size(), 4u);
  EXPECT_LT(land.filled_max_m, 0.3 * kCell);
  for (std::size_t i = 0; i < ground_m.values.size(); ++i) {
    const double height_m = land.sheets[0].planes[0][i] / 65536.0;
    ASSERT_GE(height_m, ground_m.values[i]);
    ASSERT_LE(height_m, ground_m.values[i] + land.filled_max_m + 1e-9);
  }
  const auto& raster = land.sheets[0];
  for (int step = 1; step <= 3; ++step) {
    const auto& sheet = land.sheets[static_cast<std::size_t>(step)];
    for (int y = 0; y < sheet.shape.height; ++y) {
      for (int x = 0; x < sheet.shape.width; ++x) {
        const int column = ((sheet.shape.x0 + x) << step) - raster.shape.x0;
        const int row = ((sheet.shape.y0 + y) << step) - raster.shape.y0;
        ASSERT_EQ(sheet.planes[0][static_cast<std::size_t>(y * sheet.shape.width + x)],
                  raster.planes[0][static_cast<std::size_t>(row * raster.shape.width + column)]);
      }
    }
  }
}

TEST(LandSheetsTest, AreReproducible) {
  const Grid<double> ground_m = RandomLand(42, 90, 70);
  const auto bytes = [&] {
    return elevation::Encode(kCell, LandOf(ground_m, 0, kCell, 2, std::nullopt).sheets);
  };
  EXPECT_EQ(bytes(), bytes());
  EXPECT_TRUE(elevation::ElevationFile::Parse(bytes()).ok());
}

TEST(LandSpecTest, PutsTheRasterAtTheLevelWithItsCellSize) {
  for (const double cell_m : {0.5, 1.0, 10.0, 30.0, 90.0, 1000.0, 2000.0}) {
    const int level = LevelOf(cell_m);
    EXPECT_GE(level, 0);
    const double coarsest_m = std::ldexp(cell_m, level);
    EXPECT_TRUE(level == 0 || (coarsest_m > 512 && coarsest_m <= 1024)) << cell_m;
    LandFacts facts;
    facts.name = "x";
    facts.level = level;
    facts.cell_m = cell_m;
    facts.width = 100;
    facts.height = 100;
    facts.highest_m = 900;
    facts.margin_m = 1600;
    const v1::WorldSpec spec = SpecOf(facts);
    EXPECT_EQ(spec.cell_size_m(), coarsest_m);
    EXPECT_GT(static_cast<int>(spec.levels()), level);
    EXPECT_LE(spec.levels(), 21u);
  }
}

}  // namespace
}  // namespace thalweg::real_land
