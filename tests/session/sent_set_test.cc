#include <gtest/gtest.h>

#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

using wire::TileKey;

constexpr TileKey kTile{.x = 5};

TEST(SentSetTest, AKeptTileIsReportedOnce) {
  SentSet sent_set;
  ASSERT_TRUE(sent_set.AddKept(kTile, {.geometric_error = 7}).ok());
  EXPECT_TRUE(sent_set.TakeUnannounced(kTile));
  EXPECT_FALSE(sent_set.TakeUnannounced(kTile));
  EXPECT_EQ(sent_set.FactsOf(kTile)->geometric_error, 7U);
  sent_set.Drop(kTile);
  EXPECT_FALSE(sent_set.Has(kTile));
}

TEST(SentSetTest, IsBounded) {
  SentSet sent_set;
  for (std::size_t n = 0; n < kMaxSentTiles; ++n) {
    ASSERT_TRUE(sent_set.AddKept({.x = static_cast<std::int64_t>(n)}, {}).ok());
  }
  EXPECT_EQ(sent_set.AddSent({.x = -1}, {}).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(sent_set.size(), kMaxSentTiles);
  // The facts of tiles in a full sent set may still change.
  EXPECT_TRUE(sent_set.AddSent(kTile, {.geometric_error = 9}).ok());
  EXPECT_EQ(sent_set.FactsOf(kTile)->geometric_error, 9U);
  sent_set.Drop({.x = 0});
  EXPECT_TRUE(sent_set.AddSent({.x = -1}, {}).ok());
}

TEST(SentFactsTest, AreTheFactsOfTheSet) {
  SentSet sent_set;
  ASSERT_TRUE(sent_set.AddKept(kTile, {.geometric_error = 7}).ok());
  SentFacts facts(sent_set);
  EXPECT_EQ(facts({.x = 6}), nullptr);
  ASSERT_NE(facts(kTile), nullptr);
  EXPECT_EQ(facts(kTile)->geometric_error, 7U);
}

}  // namespace
}  // namespace thalweg::session
