// Landforms, curvature, relief and the winding of rivers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "client/tools/survey/streams.h"
#include "client/tools/survey/surface.h"
#include "tests/client/noise_field.h"

namespace thalweg::survey {
namespace {

using client_test::NoiseField;

template <typename Height>
Grid<double> GridOf(int side, const Height& height) {
  Grid<double> grid = FilledGrid(side, side, 0.0);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) grid.At(x, y) = height(x, y);
  }
  return grid;
}

// The form of the middle vertex, if the grid is only as wide as this vertex can see.
std::string_view FormOf(const Grid<double>& ground_m) {
  const LandformShares shares = MeasureLandforms(ground_m, 10);
  return kLandforms[static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) -
                                             shares.begin())];
}

// Half the sum of the differences: 0 if two lands have the same forms, 1 if they share none.
double LandformDifference(const LandformShares& a, const LandformShares& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] - b[k]);
  return sum / 2;
}

TEST(LandformTest, RecognisesEveryForm) {
  constexpr int kMiddle = kLandformSearchCells;
  constexpr int kSide = 2 * kMiddle + 1;
  const auto form = [](const auto& height) {
    return FormOf(GridOf(kSide, [&](int x, int y) { return height(x - kMiddle, y - kMiddle); }));
  };
  EXPECT_EQ(form([](int, int) { return 0.0; }), "flat");
  EXPECT_EQ(form([](int x, int y) { return -2 * std::hypot(x, y); }), "peak");
  EXPECT_EQ(form([](int x, int y) { return 2 * std::hypot(x, y); }), "pit");
  EXPECT_EQ(form([](int x, int) { return -3.0 * std::abs(x); }), "ridge");
  EXPECT_EQ(form([](int x, int) { return 3.0 * std::abs(x); }), "valley");
  EXPECT_EQ(form([](int x, int) { return 3.0 * x; }), "slope");
  EXPECT_EQ(form([](int x, int) { return x > 0 ? -3.0 * x : 0.0; }), "shoulder");
  EXPECT_EQ(form([](int x, int) { return x > 0 ? 3.0 * x : 0.0; }), "footslope");
  EXPECT_EQ(form([](int x, int y) { return 3.0 * x - 2.0 * std::abs(y); }), "spur");
  EXPECT_EQ(form([](int x, int y) { return 3.0 * x + 2.0 * std::abs(y); }), "hollow");
}

TEST(LandformTest, SharesSumToOneAndIgnoreRotation) {
  constexpr double kCell = 1;
  Grid<double> land = NoiseField(128, 3, 7);
  double square = 0;
  for (const double height : land.values) square += height * height;
  // The land's root mean square height is ten cells.
  const double scale = 10 / std::sqrt(square / static_cast<double>(land.values.size()));
  for (double& height : land.values) height *= scale;
  const LandformShares shares = MeasureLandforms(land, kCell);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  const Grid<double> turned = GridOf(128, [&](int x, int y) { return land.At(y, x); });
  EXPECT_NEAR(LandformDifference(shares, MeasureLandforms(turned, kCell)), 0, 1e-9);
  // The twin: if land is turned upside down, its valleys become ridges.
  const Grid<double> sunken = GridOf(128, [&](int x, int y) { return -land.At(x, y); });
  const LandformShares other = MeasureLandforms(sunken, kCell);
  EXPECT_NEAR(other[2], shares[8], 1e-9);
  EXPECT_GT(
      LandformDifference(MeasureLandforms(GridOf(64, [](int, int) { return 0.0; }), 1), shares),
      0.5);
}

TEST(CurvatureTest, DistinguishesGulliesFromCrests) {
  // Narrow valleys in a plain, and the same turned upside down.
  const auto gullies =
      GridOf(96, [](int x, int) { return -std::exp(-0.5 * std::pow((x % 24) - 12, 2) / 4); });
  const auto crests =
      GridOf(96, [](int x, int) { return std::exp(-0.5 * std::pow((x % 24) - 12, 2) / 4); });
  EXPECT_GT(MeasureCurvature(gullies)->skewness, 0.5);
  EXPECT_NEAR(MeasureCurvature(crests)->skewness, -MeasureCurvature(gullies)->skewness, 1e-9);
  EXPECT_FALSE(MeasureCurvature(GridOf(32, [](int x, int y) { return 3.0 * x - y; })).has_value());
}

TEST(CurvatureTest, HasALargerKurtosisWhereGroundIsRoughInPatches) {
  const Grid<double> noise = NoiseField(256, 3, 7);
  EXPECT_NEAR(MeasureCurvature(noise)->kurtosis, 3, 0.3);
  Grid<double> patchy = noise;
  for (int y = 0; y < patchy.height; ++y) {
    for (int x = 0; x < patchy.width; ++x) {
      if ((x / 64 + y / 64) % 4 != 0) patchy.At(x, y) *= 0.25;
    }
  }
  EXPECT_GT(MeasureCurvature(patchy)->kurtosis, 5);
}

TEST(AspectsTest, AreEvenOnNoiseAndShowALattice) {
  const Grid<double> noise = NoiseField(256, 4, 7);
  const auto even = MeasureAspects(noise, 1e-6);
  ASSERT_TRUE(even.has_value());
  for (const double share : *even) EXPECT_NEAR(share, 1, 0.1);
  // Pyramids with sides along the axes.
  const auto pyramids = MeasureAspects(
      GridOf(
          128,
          [](int x, int y) { return -std::max(std::abs(x % 32 - 15.3), std::abs(y % 32 - 15.3)); }),
      1);
  ASSERT_TRUE(pyramids.has_value());
  EXPECT_GT(pyramids->front() + pyramids->back(), 7);
}

TEST(AspectsTest, AreAbsentOnGentleGround) {
  EXPECT_FALSE(MeasureAspects(GridOf(32, [](int x, int) { return 0.19 * x; }), 1).has_value());
  EXPECT_TRUE(MeasureAspects(GridOf(32, [](int x, int) { return 0.21 * x; }), 1).has_value());
}

TEST(ReliefTest, IsMeasuredWithinAKilometre) {
  // A tilt of 1 in 10. A square of 20 vertices, 50 m apart, is 19 cells wide.
  const auto tilt = GridOf(64, [](int x, int) { return 5.0 * x; });
  EXPECT_NEAR(*MedianRelief(tilt, 50), 95, 1e-9);
  EXPECT_FALSE(MedianRelief(tilt, 1).has_value());
}

TEST(SinuosityTest, IsOneForAStraightRiverAndMoreForZigzags) {
  // A river along the second row, or in zigzags between two rows. Each of its cells has the area of
  // a river.
  const auto river = [](bool zigzag) {
    Drainage drainage{.width = 80,
                      .height = 4,
                      .receiver = std::vector<std::int32_t>(320, kOutlet),
                      .order = {},
                      .area = std::vector<std::int32_t>(320, 1),
                      .length = {}};
    for (int x = 0; x + 1 < 80; ++x) {
      const int row = zigzag ? 1 + x / 2 % 2 : 1;
      const int next = zigzag ? 1 + (x + 1) / 2 % 2 : 1;
      const int cell = 80 * row + x;
      drainage.receiver[static_cast<std::size_t>(cell)] = 80 * next + x + 1;
      drainage.area[static_cast<std::size_t>(cell)] = 2 * kRiverArea;
    }
    return drainage;
  };
  EXPECT_NEAR(*Sinuosity(river(false)), 1, 1e-9);
  EXPECT_NEAR(*Sinuosity(river(true)), (1 + std::sqrt(2)) / 2, 0.01);
  EXPECT_FALSE(Sinuosity(Drainage{.width = 2,
                                  .height = 2,
                                  .receiver = std::vector<std::int32_t>(4, kOutlet),
                                  .order = {},
                                  .area = std::vector<std::int32_t>(4, 1),
                                  .length = {}})
                   .has_value());
}

}  // namespace
}  // namespace thalweg::survey
