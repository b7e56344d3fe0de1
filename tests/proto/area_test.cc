#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "proto/wire/tile_key.h"

namespace thalweg::wire {
namespace {

TEST(AreaTest, IsNamedAfterATileOfEveryFourthLevel) {
  EXPECT_EQ(AreaOf("alpine", {0, 0, -4, 11}), "alpine/0/0/-4/11");
  EXPECT_EQ(AreaOf("alpine", {0, 1, -1, 11}), "alpine/0/0/-1/5");
  EXPECT_EQ(AreaOf("alpine", {0, 3, -1, 11}), "alpine/0/0/-1/1");
  EXPECT_EQ(AreaOf("alpine", {0, 4, 23, -9}), "alpine/0/4/23/-9");
  EXPECT_EQ(AreaOf("marble@7", {5, 6, 23, 9}), "marble@7/5/4/5/2");
}

// A tile has its parent's area, except where a new area begins. Tiles of one level have the same
// area if they have the same ancestor there.
TEST(AreaTest, IsSharedByTheDescendantsOfATile) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto small = [&] { return static_cast<std::int64_t>(random() % 64) - 32; };
    const TileKey one{0, 1 + static_cast<int>(random() % 12), small(), small()};
    const TileKey parent{0, one.level - 1, one.x >> 1, one.y >> 1};
    const int up = one.level % kAreaLevels;
    EXPECT_EQ(AreaOf("w", one) == AreaOf("w", parent), up != 0);
    const TileKey other{0, one.level, small(), small()};
    const bool related = one.x >> up == other.x >> up && one.y >> up == other.y >> up;
    EXPECT_EQ(AreaOf("w", one) == AreaOf("w", other), related);
  }
}

// A request may have any name, but metadata must be printable.
TEST(AreaTest, IsPrintable) {
  const std::string area = AreaOf("a\nb\xC3\xA9\x7F" + std::string(1000, 'x'), {0, 1, 2, 3});
  EXPECT_TRUE(std::all_of(area.begin(), area.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  EXPECT_LT(area.size(), 400U);
}

}  // namespace
}  // namespace thalweg::wire
