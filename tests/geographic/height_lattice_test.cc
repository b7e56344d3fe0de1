#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "server/geographic/ellipsoid.h"
#include "server/geographic/mesh_query.h"

namespace thalweg::geographic {
namespace {

TEST(HeightLatticeTest, StepsAreAQuarterOfTheErrorOrLess) {
  for (int zoom = 0; zoom <= 20; ++zoom) {
    const double error_m = MeshErrorM(kWgs84, zoom);
    const double step_m = HeightStepM(error_m);
    EXPECT_LE(step_m, std::max(error_m / 4, std::exp2(-8)));
    EXPECT_LE(step_m, 1);
    EXPECT_EQ(std::exp2(std::round(std::log2(step_m))), step_m);
  }
}

// Heights on the lattice are whole steps above a tile's minimum. Minimum and maximum are floats.
TEST(HeightLatticeTest, StepsOfATileGiveTheLatticeExactly) {
  std::mt19937 random(1);
  for (int n = 0; n < 10'000; ++n) {
    const double lattice_m = std::exp2(-static_cast<int>(random() % 9));
    const auto height = [&] {
      return OnLatticeM(static_cast<std::int32_t>(random()) >> (random() % 20 + 1), lattice_m);
    };
    const double a = height();
    const double b = height();
    const double min_m = std::min(a, b);
    const double max_m = std::max(a, b);
    if (max_m - min_m > 32'767 * lattice_m) continue;
    const HeightRange range = RangeOf(min_m, max_m, lattice_m);
    EXPECT_EQ(range.min_m, min_m);
    EXPECT_GE(range.max_m, max_m);
    EXPECT_EQ(range.max_m, min_m + 32'767 * range.step_m);
    const double steps = (max_m - min_m) / range.step_m;
    EXPECT_EQ(steps, std::floor(steps));
    EXPECT_LE(steps, 32'767);
    EXPECT_LE(range.step_m, lattice_m);
  }
}

TEST(HeightLatticeTest, TheRangeOfAFlatTileIsNotEmpty) {
  const HeightRange range = RangeOf(0, 0, 1);
  EXPECT_GT(range.max_m, 0);
  EXPECT_LE(range.max_m, 1);
}

TEST(HeightLatticeTest, ARangeThatIsTooLargeHasLargerSteps) {
  const HeightRange range = RangeOf(-500, 500, std::exp2(-8));
  EXPECT_EQ(range.step_m, std::exp2(-5));
}

TEST(HeightLatticeTest, RoundsToTheNearest) {
  EXPECT_EQ(OnLatticeM(65'536 * 3 + 40'000, 1), 4);
  EXPECT_EQ(OnLatticeM(-65'536 * 3 - 40'000, 1), -4);
  EXPECT_EQ(OnLatticeM(65'536 / 2, 1), 1);
  EXPECT_EQ(OnLatticeM(65'536 / 8, 0.25), 0.25);
}

}  // namespace
}  // namespace thalweg::geographic
