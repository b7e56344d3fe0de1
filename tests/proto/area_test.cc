#include "proto/wire/area.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace thalweg::wire {
namespace {

TEST(AreaTest, IsTheAncestorThreeLevelsUp) {
  EXPECT_EQ(AreaOf("alpine", {0, 6, 23, -9}), "alpine/0/3/2/-2");
  EXPECT_EQ(AreaOf("marble@7", {5, 3, 7, 0}), "marble@7/5/0/0/0");
}

TEST(AreaTest, IsOfLevelZeroWhereThereAreFewerLevels) {
  EXPECT_EQ(AreaOf("alpine", {0, 0, -4, 11}), "alpine/0/0/-4/11");
  EXPECT_EQ(AreaOf("alpine", {0, 2, -1, 11}), "alpine/0/0/-1/2");
}

// What shares three generations of parents shares an area, and nothing else does.
TEST(AreaTest, TilesShareItWithTheirThirdAncestor) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 64) - 32; };
    const int level = 3 + static_cast<int>(random() % 10);
    const TileKey one{0, level, small(), small()};
    const TileKey other{0, level, small(), small()};
    const bool related = one.x >> 3 == other.x >> 3 && one.y >> 3 == other.y >> 3;
    EXPECT_EQ(AreaOf("w", one) == AreaOf("w", other), related);
  }
}

// Any name may be asked for; metadata is printable.
TEST(AreaTest, IsPrintable) {
  const std::string area = AreaOf("a\nb\xC3\xA9\x7F" + std::string(1000, 'x'), {0, 1, 2, 3});
  EXPECT_TRUE(std::all_of(area.begin(), area.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_LT(area.size(), 400U);
}

}  // namespace
}  // namespace thalweg::wire
