#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "server/tile/layers/tile_ground.h"

namespace thalweg::tile {
namespace {

// A normal's components, as a client unpacks them.
struct Vector {
  double east;
  double south;
  double up;
};

Vector Unpacked(std::int32_t normal) {
  const double east = static_cast<std::int16_t>(normal & 0xFFFF) / 32767.0;
  const double south = (normal >> 16) / 32767.0;
  return {east, south, std::sqrt(std::max(1 - east * east - south * south, 0.0))};
}

constexpr double kRun = 2 * 4.0 * 65536;  // cells of 4 m

TEST(GradientTest, NormalsOfFlatGroundPointUp) {
  EXPECT_EQ(SlopeOf({0, 0}, kRun), 0);
  EXPECT_EQ(NormalOf({0, 0}, kRun), 0);
  EXPECT_EQ(RoundedNormalOf({0, 0}, kRun), 0);
}

// If the rise equals the run, the slope is 1. If ground rises to the east, its normal leans west.
TEST(GradientTest, FollowsTheCompass) {
  const auto run = static_cast<std::int64_t>(kRun);
  EXPECT_EQ(SlopeOf({run, 0}, kRun), 65536);
  EXPECT_EQ(SlopeOf({0, -run}, kRun), 65536);
  EXPECT_EQ(SlopeOf({3 * run, 4 * run}, kRun), 5 * 65536);
  const Vector west = Unpacked(NormalOf({run, 0}, kRun));
  EXPECT_NEAR(west.east, -std::sqrt(0.5), 2e-5);
  EXPECT_EQ(west.south, 0);
  EXPECT_NEAR(west.up, std::sqrt(0.5), 3e-5);
  const Vector south = Unpacked(NormalOf({0, -run}, kRun));
  EXPECT_EQ(south.east, 0);
  EXPECT_NEAR(south.south, std::sqrt(0.5), 2e-5);
}

TEST(GradientTest, AgreesWithTheSurface) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> part(-4, 4);
  for (int i = 0; i < 10'000; ++i) {
    const Rise rise{std::round(part(random) * kRun), std::round(part(random) * kRun)};
    const double east = rise.east / kRun;
    const double south = rise.south / kRun;
    EXPECT_NEAR(SlopeOf(rise, kRun), std::hypot(east, south) * 65536, 0.51);
    const double length = std::sqrt(1 + east * east + south * south);
    const Vector exact = Unpacked(NormalOf(rise, kRun));
    ASSERT_NEAR(exact.east, -east / length, 0.51 / 32767);
    ASSERT_NEAR(exact.south, -south / length, 0.51 / 32767);
    ASSERT_NEAR(exact.up, 1 / length, 6e-4);
    const std::int32_t rounded = RoundedNormalOf(rise, kRun);
    ASSERT_EQ(static_cast<std::int16_t>(rounded & 0xFFFF) % 128, 0);
    ASSERT_EQ((rounded >> 16) % 128, 0);
    ASSERT_NEAR(Unpacked(rounded).east, -east / length, 65.0 / 32767);
    ASSERT_NEAR(Unpacked(rounded).south, -south / length, 65.0 / 32767);
  }
}

TEST(GradientTest, SaturatesBetweenExtremeHeights) {
  constexpr std::int64_t kMax = (std::int64_t{1} << 32) - 1;
  constexpr double kSmallestRun = 256;
  for (const Rise& rise : {Rise{kMax, kMax}, Rise{-kMax, kMax}, Rise{kMax, 0}, Rise{0, -kMax}}) {
    EXPECT_EQ(SlopeOf(rise, kSmallestRun), std::numeric_limits<std::int32_t>::max());
    const Vector exact = Unpacked(NormalOf(rise, kSmallestRun));
    EXPECT_NEAR(std::hypot(exact.east, exact.south), 1, 1e-4);
    const Vector rounded = Unpacked(RoundedNormalOf(rise, kSmallestRun));
    EXPECT_EQ(std::signbit(rounded.east), rise.east > 0) << rise.east;
    EXPECT_NEAR(std::hypot(rounded.east, rounded.south), 1, 0.01);
  }
}

}  // namespace
}  // namespace thalweg::tile
