#include <gtest/gtest.h>

#include <random>

#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

using field::Priority;
using wire::TileKey;

constexpr TileKey kA{.x = 1};
constexpr TileKey kB{.x = 2};

TEST(WantListTest, ReturnsTilesInOrderAndKeepsThemWanted) {
  WantList wants;
  ASSERT_TRUE(wants.Add(kA, Priority::kPrefetch).ok());
  ASSERT_TRUE(wants.Add(kB, Priority::kPrefetch).ok());
  ASSERT_TRUE(wants.Add(kA, Priority::kPrefetch).ok());
  EXPECT_EQ(wants.Take(Priority::kInteractive), std::nullopt);
  EXPECT_EQ(wants.Take(Priority::kPrefetch), kA);
  EXPECT_EQ(wants.Take(Priority::kPrefetch), kB);
  EXPECT_EQ(wants.Take(Priority::kPrefetch), std::nullopt);
  EXPECT_TRUE(wants.Has(kA));
}

TEST(WantListTest, AMoreUrgentTileIsReturnedAgain) {
  WantList wants;
  ASSERT_TRUE(wants.Add(kA, Priority::kBake).ok());
  ASSERT_TRUE(wants.Add(kB, Priority::kBake).ok());
  EXPECT_EQ(wants.Take(Priority::kBake), kA);
  ASSERT_TRUE(wants.Add(kA, Priority::kInteractive).ok());
  ASSERT_TRUE(wants.Add(kB, Priority::kInteractive).ok());
  EXPECT_EQ(wants.Take(Priority::kInteractive), kA);
  EXPECT_EQ(wants.Take(Priority::kInteractive), kB);
  EXPECT_EQ(wants.Take(Priority::kBake), std::nullopt);
}

TEST(WantListTest, RemovedTilesAreNotReturnedOrQueued) {
  WantList wants;
  ASSERT_TRUE(wants.Add(kA, Priority::kBake).ok());
  ASSERT_TRUE(wants.Add(kB, Priority::kBake).ok());
  wants.Remove(kA);
  EXPECT_EQ(wants.queued(), 1U);
  EXPECT_EQ(wants.Take(Priority::kBake), kB);
  ASSERT_TRUE(wants.Add(kA, Priority::kBake).ok());
  EXPECT_EQ(wants.Take(Priority::kBake), kA);
}

TEST(WantListTest, RefusedTilesCountAsWanted) {
  WantList wants;
  for (std::size_t n = 0; n < kMaxWants / 2; ++n) {
    ASSERT_TRUE(wants.Add({.x = static_cast<std::int64_t>(n)}, Priority::kBake).ok());
    ASSERT_TRUE(wants.Refuse(kA).ok());
  }
  EXPECT_EQ(wants.Refuse(kA).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(wants.Add({.x = -1}, Priority::kBake).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(wants.TakeRefused(), kA);
  EXPECT_TRUE(wants.Add({.x = -1}, Priority::kBake).ok());
  wants.Clear();
  EXPECT_EQ(wants.wanted() + wants.queued() + wants.refused(), 0U);
}

// After any additions, removals and clears, a key is queued at most once, and only while it is
// wanted.
TEST(WantListTest, QueuesHoldOnlyWantedTiles) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    WantList wants;
    for (int step = 0; step < 5'000; ++step) {
      const TileKey key{.x = static_cast<std::int64_t>(random() % 50)};
      const auto priority = static_cast<Priority>(random() % 3);
      switch (random() % 8) {
        case 0:
          wants.Take(priority);
          break;
        case 1:
          if (random() % 20 == 0) wants.Clear();
          break;
        case 2:
        case 3:
        case 4:
          wants.Remove(key);
          break;
        default:
          ASSERT_TRUE(wants.Add(key, priority).ok());
      }
      ASSERT_LE(wants.queued(), wants.wanted()) << "seed " << seed << ", step " << step;
      ASSERT_LE(wants.wanted(), 50U);
    }
  }
}

}  // namespace
}  // namespace thalweg::session
