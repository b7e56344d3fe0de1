#include <gtest/gtest.h>

#include "server/tile/tile_service.h"

namespace thalweg::tile {
namespace {

class StoreMissesTest : public testing::Test {
 protected:
  static cache::TileId IdOf(std::int64_t n) { return {.key = {0, 1, n, 0}}; }

  StoreMisses::Clock::time_point now_{};
  StoreMisses misses_{[this] { return now_; }};
};

TEST_F(StoreMissesTest, RemembersAMissForAWhile) {
  EXPECT_FALSE(misses_.Contains(IdOf(1)));
  misses_.Add(IdOf(1));
  EXPECT_TRUE(misses_.Contains(IdOf(1)));
  EXPECT_FALSE(misses_.Contains(IdOf(2)));
  now_ += StoreMisses::kLifetime - std::chrono::nanoseconds(1);
  EXPECT_TRUE(misses_.Contains(IdOf(1)));
  now_ += std::chrono::nanoseconds(1);
  EXPECT_FALSE(misses_.Contains(IdOf(1)));
}

TEST_F(StoreMissesTest, ARepeatedMissIsRememberedLonger) {
  misses_.Add(IdOf(1));
  now_ += StoreMisses::kLifetime / 2;
  misses_.Add(IdOf(1));
  now_ += StoreMisses::kLifetime / 2;
  misses_.Add(IdOf(2));  // now the first entry of 1 is too old
  EXPECT_TRUE(misses_.Contains(IdOf(1)));
  EXPECT_TRUE(misses_.Contains(IdOf(2)));
}

TEST_F(StoreMissesTest, ForgetsTilesThatWereFound) {
  misses_.Add(IdOf(1));
  misses_.Remove(IdOf(1));
  EXPECT_FALSE(misses_.Contains(IdOf(1)));
  misses_.Remove(IdOf(2));
  EXPECT_EQ(misses_.size(), 0U);
}

TEST_F(StoreMissesTest, IsBounded) {
  constexpr auto kMax = static_cast<std::int64_t>(StoreMisses::kMaxTiles);
  for (std::int64_t n = 0; n < 3 * kMax; ++n) {
    misses_.Add(IdOf(n));
    if (n % 3 == 0) misses_.Remove(IdOf(n));
    ASSERT_LE(misses_.size(), StoreMisses::kMaxTiles);
  }
  EXPECT_FALSE(misses_.Contains(IdOf(2 * kMax - 1)));
  EXPECT_TRUE(misses_.Contains(IdOf(2 * kMax + 2)));
  // Old entries are removed when a new one is added.
  now_ += StoreMisses::kLifetime;
  misses_.Add(IdOf(0));
  EXPECT_EQ(misses_.size(), 1U);
}

}  // namespace
}  // namespace thalweg::tile
