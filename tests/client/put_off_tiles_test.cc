#include <gtest/gtest.h>

#include "client/src/view/needed_tiles.h"

namespace thalweg {
namespace {

using std::chrono::seconds;

constexpr wire::TileKey kFirst{.level = 1};
constexpr wire::TileKey kSecond{.level = 2};
constexpr PutOffTiles::Time kStart{};

TEST(PutOffTilesTest, AreDueInTheOrderOfTheirTimes) {
  PutOffTiles tiles;
  EXPECT_FALSE(tiles.soonest());
  tiles.PutOff(kFirst, kStart + seconds(5));
  tiles.PutOff(kSecond, kStart + seconds(2));
  EXPECT_EQ(tiles.soonest(), kStart + seconds(2));

  EXPECT_FALSE(tiles.TakeDue(kStart + seconds(1)));
  EXPECT_TRUE(tiles.TakeDue(kStart + seconds(2)));
  EXPECT_FALSE(tiles.Contains(kSecond));
  EXPECT_TRUE(tiles.Contains(kFirst));
  EXPECT_EQ(tiles.soonest(), kStart + seconds(5));
}

TEST(PutOffTilesTest, ForgetsTilesThatCame) {
  PutOffTiles tiles;
  tiles.PutOff(kFirst, kStart);
  tiles.Remove(kFirst);
  EXPECT_FALSE(tiles.Contains(kFirst));
  // No tile is left, but its time was still set.
  EXPECT_TRUE(tiles.TakeDue(kStart));
  EXPECT_FALSE(tiles.soonest());
}

TEST(PutOffTilesTest, KeepsAccountOfABoundedNumber) {
  PutOffTiles tiles;
  for (std::int64_t x = 0; x <= 65'536; ++x) tiles.PutOff({.level = 3, .x = x}, kStart);
  EXPECT_TRUE(tiles.Contains({.level = 3, .x = 65'535}));
  EXPECT_FALSE(tiles.Contains({.level = 3, .x = 65'536}));
}

}  // namespace
}  // namespace thalweg
