#include "client/tools/survey/survey.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/client/noise_field.h"
#include "tests/client/stream_power.h"

namespace thalweg::survey {
namespace {

using client_test::StreamPowerLandscape;

constexpr std::uint64_t kLandSeed = 2;
constexpr int kLandSide = 257;
// The allowed error of a landscape's concavity.
constexpr double kConcavity = 0.03;

// The survey of a landscape with m/n = 0.45. It is made once for all tests.
const Report& SteadyState() {
  static const Report report =
      Measure({.ground_m = StreamPowerLandscape(kLandSide, 0.45, kLandSeed), .cell_size_m = 30});
  return report;
}

TEST(SurveyTest, FindsTheConcavityOfASteadyState) {
  ASSERT_TRUE(SteadyState().concavity.has_value());
  EXPECT_NEAR(*SteadyState().concavity, 0.45, kConcavity) << "seed " << kLandSeed;
}

TEST(SurveyTest, DistinguishesAnotherConcavity) {
  for (const double other : {0.3, 0.6}) {
    const Report report =
        Measure({.ground_m = StreamPowerLandscape(kLandSide, other, kLandSeed), .cell_size_m = 30});
    ASSERT_TRUE(report.concavity.has_value());
    EXPECT_GT(std::abs(*report.concavity - 0.45), kConcavity) << "seed " << kLandSeed;
    EXPECT_NEAR(*report.concavity, other, kConcavity) << "seed " << kLandSeed;
  }
}

TEST(SurveyTest, AcceptsASteadyState) {
  SCOPED_TRACE(testing::Message() << "seed " << kLandSeed);
  const Report& report = SteadyState();
  EXPECT_EQ(report.pits.all, 0);
  EXPECT_EQ(report.depressions.all, 0);
  EXPECT_EQ(report.wet_share, 0);
  EXPECT_FALSE(report.lakes.has_value());
  EXPECT_NEAR(report.hack_exponent.value_or(0), 0.57, 0.08);
  ASSERT_TRUE(report.horton.has_value());
  EXPECT_GE(report.horton->orders, 4);
  EXPECT_NEAR(report.horton->bifurcation, 4.5, 1.5);
  EXPECT_NEAR(report.horton->length, 2.3, 0.7);
  EXPECT_NEAR(report.hypsometry.integral.value_or(0), 0.4, 0.15);
  EXPECT_NEAR(report.spectral_slope.value_or(0), 3, 0.8);
  EXPECT_FALSE(report.parent_difference.has_value());
  EXPECT_FALSE(report.mass_balance.height_change_m.has_value());
  EXPECT_FALSE(report.mass_balance.uplift_m.has_value());
}

TEST(SurveyTest, DistinguishesNoiseFromRivers) {
  Grid<double> noise = client_test::NoiseField(256, 3, kLandSeed);
  const Report report = Measure({.ground_m = noise, .cell_size_m = 1});
  EXPECT_GT(report.pits.all, 0.003);
  EXPECT_GT(report.depressions.all, 0.05);
  EXPECT_LT(report.concavity.value_or(0), 0.3);
}

TEST(SurveyTest, IgnoresRiversUnderWater) {
  // The sea covers everything.
  const Report report = Measure({.ground_m = StreamPowerLandscape(65, 0.45, kLandSeed),
                                 .cell_size_m = 30,
                                 .sea_level_m = 10'000});
  EXPECT_EQ(report.wet_share, 1);
  EXPECT_FALSE(report.concavity.has_value());
  EXPECT_FALSE(report.hack_exponent.has_value());
  EXPECT_FALSE(report.horton.has_value());
}

TEST(SurveyTest, TreatsTheWaterLayerAsLakes) {
  Terrain terrain{.ground_m = StreamPowerLandscape(65, 0.45, kLandSeed), .cell_size_m = 30};
  // A hole, which a lake fills completely except for one unit at one vertex.
  for (int y = 20; y < 40; ++y) {
    for (int x = 20; x < 40; ++x) terrain.ground_m.At(x, y) = -50;
  }
  const Report dry = Measure(terrain);
  EXPECT_GT(dry.depressions.outside_lakes, 0.09);
  Grid<double> water = terrain.ground_m;
  for (int y = 20; y < 40; ++y) {
    for (int x = 20; x < 40; ++x) water.At(x, y) = -10;
  }
  water.At(30, 30) += 1.0 / 65536;
  terrain.water_m = water;
  const Report wet = Measure(terrain);
  EXPECT_EQ(wet.depressions.all, dry.depressions.all);
  EXPECT_NEAR(dry.depressions.outside_lakes - wet.depressions.outside_lakes, 400.0 / (65 * 65),
              1e-9);
  ASSERT_TRUE(wet.lakes.has_value());
  EXPECT_EQ(wet.lakes->count, 1);
  EXPECT_EQ(wet.lakes->largest_spread_m, 1.0 / 65536);
}

TEST(SurveyTest, BalancesTheMass) {
  Terrain terrain{.ground_m = FilledGrid(65, 65, 7.0),
                  .wash_load_m = FilledGrid(65, 65, 0.25),
                  .uplift_m = FilledGrid(65, 65, 2.0),
                  .parent_difference = DifferenceOf(std::vector<double>(33 * 33, 1.5))};
  const Report report = Measure(terrain);
  EXPECT_DOUBLE_EQ(*report.mass_balance.height_change_m, 1.5);
  EXPECT_DOUBLE_EQ(*report.mass_balance.wash_load_m, 0.25);
  EXPECT_DOUBLE_EQ(*report.mass_balance.uplift_m, 2);
  EXPECT_DOUBLE_EQ(report.parent_difference->rms_m, 1.5);
  EXPECT_FALSE(report.spectral_slope.has_value());
}

}  // namespace
}  // namespace thalweg::survey
