#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/tile/layers/tile_ground.h"

namespace thalweg::tile {
namespace {

std::int32_t Packed(int east, int south) {
  return static_cast<std::int32_t>(static_cast<std::uint16_t>(east) |
                                   std::uint32_t{static_cast<std::uint16_t>(south)} << 16);
}

constexpr auto kUnknown = static_cast<std::int32_t>(0x80008000U);

TEST(ShoreTest, DistinguishesLandFromWater) {
  EXPECT_EQ(ShoreDistance(Packed(3, -4), false), 5 * 256);
  EXPECT_EQ(ShoreDistance(Packed(3, -4), true), -5 * 256);
}

TEST(ShoreTest, SaturatesWithoutAShore) {
  EXPECT_EQ(ShoreDistance(kUnknown, false), 65'535);
  EXPECT_EQ(ShoreDistance(kUnknown, true), -65'535);
  EXPECT_EQ(ShoreDistance(Packed(-256, 0), true), -65'535);
  EXPECT_EQ(ShoreDistance(Packed(255, 0), false), 255 * 256);
  EXPECT_EQ(ShoreDistance(Packed(-32768, 32767), false), 65'535);
  EXPECT_EQ(ShoreDirection(kUnknown), 0);
}

TEST(ShoreTest, FollowsTheCompass) {
  EXPECT_EQ(ShoreDirection(Packed(7, 0)), 0);
  EXPECT_EQ(ShoreDirection(Packed(7, 7)), 8'192);
  EXPECT_EQ(ShoreDirection(Packed(0, 7)), 16'384);
  EXPECT_EQ(ShoreDirection(Packed(-7, 7)), 24'576);
  EXPECT_EQ(ShoreDirection(Packed(-7, 0)), 32'768);
  EXPECT_EQ(ShoreDirection(Packed(-7, -7)), 40'960);
  EXPECT_EQ(ShoreDirection(Packed(0, -7)), 49'152);
  EXPECT_EQ(ShoreDirection(Packed(7, -7)), 57'344);
  EXPECT_EQ(ShoreDirection(Packed(100, -1)), 65'432);
  // A direction just north of east is rounded to a full turn, which is 0.
  EXPECT_EQ(ShoreDirection(Packed(32'767, -1)), 0);
}

TEST(ShoreTest, AgreesWithGeometry) {
  for (int south = -200; south <= 200; ++south) {
    for (int east = -200; east <= 200; ++east) {
      if (east == 0 && south == 0) continue;
      const std::int32_t packed = Packed(east, south);
      const double cells = std::hypot(east, south);
      ASSERT_NEAR(ShoreDistance(packed, false), std::min(cells * 256, 65'535.0), 0.501);
      const double angle = std::atan2(south, east) / (2 * std::acos(-1.0)) * 65536;
      const std::int32_t direction = ShoreDirection(packed);
      ASSERT_GE(direction, 0);
      ASSERT_LT(direction, 65'536);
      ASSERT_LT(std::abs(std::remainder(direction - angle, 65536)), 0.7) << east << ", " << south;
    }
  }
}

}  // namespace
}  // namespace thalweg::tile
