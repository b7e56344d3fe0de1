#include <gtest/gtest.h>

#include "server/session/session_tiles.h"

namespace thalweg::session {
namespace {

using wire::TileKey;

constexpr TileKey kTile{.x = 5};

TEST(LedgerTest, ToldOnceOfATileThatWasKept) {
  Ledger ledger;
  ASSERT_TRUE(ledger.AddKept(kTile, {.geometric_error = 7}).ok());
  EXPECT_TRUE(ledger.TakeUntold(kTile));
  EXPECT_FALSE(ledger.TakeUntold(kTile));
  EXPECT_EQ(ledger.FactsOf(kTile)->geometric_error, 7U);
  ledger.Drop(kTile);
  EXPECT_FALSE(ledger.Has(kTile));
}

TEST(LedgerTest, IsBounded) {
  Ledger ledger;
  for (std::size_t n = 0; n < kMaxLedgerTiles; ++n) {
    ASSERT_TRUE(ledger.AddKept({.x = static_cast<std::int64_t>(n)}, {}).ok());
  }
  EXPECT_EQ(ledger.AddSent({.x = -1}, {}).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ledger.size(), kMaxLedgerTiles);
  // The facts of tiles in a full ledger may still change.
  EXPECT_TRUE(ledger.AddSent(kTile, {.geometric_error = 9}).ok());
  EXPECT_EQ(ledger.FactsOf(kTile)->geometric_error, 9U);
  ledger.Drop({.x = 0});
  EXPECT_TRUE(ledger.AddSent({.x = -1}, {}).ok());
}

TEST(LedgerFactsTest, TellWhatTheLedgerKnows) {
  Ledger ledger;
  ASSERT_TRUE(ledger.AddKept(kTile, {.geometric_error = 7}).ok());
  LedgerFacts facts(ledger);
  EXPECT_EQ(facts({.x = 6}), nullptr);
  ASSERT_NE(facts(kTile), nullptr);
  EXPECT_EQ(facts(kTile)->geometric_error, 7U);
}

}  // namespace
}  // namespace thalweg::session
