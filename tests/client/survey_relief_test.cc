// Hypsometry, slopes, the difference from the parent, and the fits that other measures use.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "client/tools/survey/statistics.h"
#include "client/tools/survey/surface.h"
#include "client/tools/survey/survey.h"
#include "tests/client/surface.h"

namespace thalweg::survey {
namespace {

double Gradient(double degrees) { return std::tan(degrees * std::numbers::pi / 180); }

TEST(HypsometryTest, IsOneHalfForAPlaneAndOneThirdForACone) {
  const Hypsometry plane = MeasureHypsometry(Surface(33, [](int x, int) { return 2.0 * x + 5; }));
  EXPECT_EQ(plane.min_m, 5);
  EXPECT_EQ(plane.max_m, 69);
  EXPECT_NEAR(*plane.integral, 0.5, 1e-12);
  // A cone has a third of its cylinder's volume, and the disc has pi / 4 of the square's area.
  const Hypsometry cone = MeasureHypsometry(
      Surface(201, [](int x, int y) { return std::max(0.0, 100 - std::hypot(x - 100, y - 100)); }));
  EXPECT_NEAR(*cone.integral, std::numbers::pi / 4 / 3, 0.01);
  EXPECT_FALSE(MeasureHypsometry(FilledGrid(9, 9, 4.0)).integral.has_value());
}

TEST(SlopesTest, AreThoseOfAPlane) {
  const Slopes slopes =
      MeasureSlopes(Surface(33, [](int x, int) { return 8 * Gradient(30) * x; }), 8, 28.0);
  for (const double degrees : slopes.percentiles_deg) EXPECT_NEAR(degrees, 30, 1e-9);
  EXPECT_EQ(slopes.over_talus, 1);
  EXPECT_EQ(slopes.far_over_talus, 0);
}

TEST(SlopesTest, UseTheLengthOfDiagonals) {
  const Slopes slopes = MeasureSlopes(
      Surface(33, [](int x, int y) { return Gradient(40) * (x + y) / std::numbers::sqrt2; }), 1,
      std::nullopt);
  EXPECT_NEAR(slopes.percentiles_deg[2], 40, 1e-9);
  EXPECT_FALSE(slopes.over_talus.has_value());
}

TEST(SlopesTest, CountTheShareOfSteepGround) {
  // Slopes are 10 degrees in the west and 50 degrees in the east.
  const Grid<double> ground = Surface(66, [](int x, int) {
    return x < 33 ? Gradient(10) * x : Gradient(10) * 33 + Gradient(50) * (x - 33);
  });
  const Slopes slopes = MeasureSlopes(ground, 1, 46.0);
  EXPECT_NEAR(*slopes.over_talus, 0.5, 0.02);
  EXPECT_EQ(*slopes.far_over_talus, 0);
  EXPECT_NEAR(slopes.percentiles_deg.front(), 10, 1e-9);
  EXPECT_NEAR(slopes.percentiles_deg.back(), 50, 1e-9);
  EXPECT_NEAR(*MeasureSlopes(ground, 1, 44.0).far_over_talus, 0.5, 0.02);
}

TEST(ShareWithParentTest, SharesEvenVerticesOnBothSidesOfZero) {
  for (std::int64_t first = -9; first < 9; ++first) {
    for (int count = 2; count < 9; ++count) {
      const SharedVertices shared = ShareWithParent(first, count);
      int even = 0;
      for (int i = 0; i < count; ++i) even += (first + i) % 2 == 0 ? 1 : 0;
      EXPECT_EQ(shared.count, even) << first << ", " << count;
      EXPECT_EQ(2 * shared.first, first + shared.offset) << first << ", " << count;
    }
  }
}

TEST(ParentDifferenceTest, ComparesOnlySharedVertices) {
  const Grid<double> parent = Surface(8, [](int x, int y) { return 10.0 * x - 3 * y; });
  const auto child = [&](int x, int y) {
    // The region begins at an odd vertex to the east, so shared vertices have odd columns.
    return x % 2 == 1 && y % 2 == 0 ? parent.At(x / 2, y / 2) : 1e6;
  };
  Grid<double> same = Surface(16, child);
  const ParentDifference none = DifferenceOf(SubtractParent(same, parent, 1, 0));
  EXPECT_EQ(none.rms_m, 0);
  EXPECT_EQ(none.max_m, 0);
  same.At(5, 6) -= 4;
  const ParentDifference one = DifferenceOf(SubtractParent(same, parent, 1, 0));
  EXPECT_EQ(one.max_m, 4);
  EXPECT_NEAR(one.rms_m, std::sqrt(16.0 / 64), 1e-12);
  EXPECT_NEAR(one.mean_m, -4.0 / 64, 1e-12);
}

TEST(FitTest, FindsASlopeAndNoneWithoutSpread) {
  const std::vector<double> x = {1, 2, 4, 8};
  const std::vector<double> y = {5, 3, -1, -9};
  const auto slope = FitSlope(x, y);
  ASSERT_TRUE(slope.has_value());
  EXPECT_NEAR(*slope, -2, 1e-12);
  EXPECT_FALSE(FitSlope(std::vector<double>{3, 3, 3}, std::vector<double>{1, 2, 3}).has_value());
  EXPECT_FALSE(FitSlope({}, {}).has_value());
}

TEST(LogBinsTest, KeepAPowerLawAndLeaveOutRareValues) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 5; i < 1000; ++i) {
    x.push_back(i);
    y.push_back(3 * std::pow(i, -0.7));
  }
  x.push_back(1e6);
  y.push_back(1e6);
  const LogBins bins = MeanOverLogBins(x, y, 10, 5, 3);
  EXPECT_EQ(bins.log_x.size(), 10U);
  EXPECT_GE(bins.log_x.front(), 1);
  EXPECT_NEAR(*FitSlope(bins.log_x, bins.log_y), -0.7, 1e-9);
}

}  // namespace
}  // namespace thalweg::survey
