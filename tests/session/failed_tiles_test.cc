#include <gtest/gtest.h>

#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

using wire::TileKey;
using TimePoint = FailedTiles::TimePoint;

constexpr TimePoint kNow{std::chrono::hours(1)};
constexpr std::chrono::seconds kWhile{1};

TileKey Key(std::size_t n) { return {.x = static_cast<std::int64_t>(n)}; }

TEST(FailedTilesTest, HoldsATileUntilItsDelayIsOver) {
  FailedTiles failed;
  failed.Add(Key(1), kNow + kWhile, kNow);
  EXPECT_TRUE(failed.Holds(Key(1), kNow));
  EXPECT_FALSE(failed.Holds(Key(2), kNow));
  EXPECT_FALSE(failed.Holds(Key(1), kNow + kWhile));
  failed.Remove(Key(1));
  EXPECT_FALSE(failed.Holds(Key(1), kNow));
}

TEST(FailedTilesTest, AFullListTakesNoMoreTiles) {
  FailedTiles failed;
  for (std::size_t n = 0; n < 3 * kMaxFailedTiles; ++n) failed.Add(Key(n), kNow + kWhile, kNow);
  EXPECT_EQ(failed.size(), kMaxFailedTiles);
  EXPECT_FALSE(failed.Holds(Key(kMaxFailedTiles), kNow));
  // The time of a tile that is already in it can still be extended.
  failed.Add(Key(0), kNow + 2 * kWhile, kNow);
  EXPECT_TRUE(failed.Holds(Key(0), kNow + kWhile));
}

TEST(FailedTilesTest, TilesWhoseDelayIsOverMakeRoom) {
  FailedTiles failed;
  for (std::size_t n = 0; n < kMaxFailedTiles; ++n) failed.Add(Key(n), kNow + kWhile, kNow);
  failed.Add(Key(kMaxFailedTiles), kNow + 2 * kWhile, kNow + kWhile);
  EXPECT_EQ(failed.size(), 1U);
  EXPECT_TRUE(failed.Holds(Key(kMaxFailedTiles), kNow + kWhile));
}

}  // namespace
}  // namespace thalweg::session
