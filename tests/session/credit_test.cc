#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

TEST(CreditTest, AllowsNothingBeforeAGrant) {
  Credit credit;
  EXPECT_FALSE(credit.Allows());
  credit.Grant(1, 0);
  EXPECT_FALSE(credit.Allows());
  credit.Grant(0, 1);
  EXPECT_TRUE(credit.Allows());
  EXPECT_FALSE(credit.Allows(1));
}

// A tile is allowed while there is credit for one tile and one byte. So at most one tile's bytes
// are owed.
TEST(CreditTest, IsWhatWasGrantedMinusWhatWasSpent) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    Credit credit;
    std::int64_t tiles = 0;
    std::int64_t bytes = 0;
    for (int step = 0; step < 2'000; ++step) {
      if (random() % 3 == 0) {
        const auto more_tiles = static_cast<std::uint32_t>(random() % 4);
        const std::uint64_t more_bytes = random() % 4'000;
        credit.Grant(more_tiles, more_bytes);
        tiles += more_tiles;
        bytes += static_cast<std::int64_t>(more_bytes);
      } else if (credit.Allows()) {
        const std::uint64_t size = random() % 2'000;
        credit.Spend(size);
        --tiles;
        bytes -= static_cast<std::int64_t>(size);
      }
      for (const std::size_t others : {0U, 1U, 2U, 50U}) {
        const bool allowed = bytes > 0 && tiles > static_cast<std::int64_t>(others);
        ASSERT_EQ(credit.Allows(others), allowed) << "seed " << seed << ", step " << step;
      }
    }
  }
}

TEST(CreditTest, StopsAtItsMax) {
  Credit credit;
  for (int n = 0; n < 10; ++n) {
    credit.Grant(std::numeric_limits<std::uint32_t>::max(),
                 std::numeric_limits<std::uint64_t>::max());
  }
  EXPECT_TRUE(credit.Allows(kMaxCreditTiles - 1));
  EXPECT_FALSE(credit.Allows(kMaxCreditTiles));
  credit.Spend(kMaxCreditBytes - 1);
  EXPECT_TRUE(credit.Allows());
  credit.Spend(1);
  EXPECT_FALSE(credit.Allows());
}

}  // namespace
}  // namespace thalweg::session
