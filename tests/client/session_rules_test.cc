#include "client/src/session/session_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

// The sides of level 0's tiles are 131,072 m long.
constexpr lod::WorldGrid kRulesGrid{.cell_size_m = 512, .levels = 12};
constexpr double kSide = 131'072;

v1::SessionRequest Credit(std::uint32_t tiles, std::uint64_t bytes) {
  v1::SessionRequest request;
  request.mutable_credit()->set_tiles(tiles);
  request.mutable_credit()->set_bytes(bytes);
  return request;
}

v1::SessionRequest View(std::uint64_t id, double east, double speed = 0) {
  v1::SessionRequest request;
  request.mutable_view()->set_id(id);
  request.mutable_view()->set_range_m(10'000);
  request.mutable_view()->mutable_position_m()->set_east(east);
  request.mutable_view()->mutable_velocity_m_s()->set_east(speed);
  request.mutable_view()->set_lookahead_s(60);
  return request;
}

void SetKey(v1::TileKey& key, int level, std::int64_t x) {
  key.set_level(static_cast<std::uint32_t>(level));
  key.set_x(x);
}

v1::SessionResponse SentTile(int level, std::int64_t x, std::size_t bytes = 0) {
  v1::SessionResponse response;
  SetKey(*response.mutable_tile()->mutable_key(), level, x);
  response.mutable_tile()->set_world_id(std::string(bytes, 'x'));
  return response;
}

v1::SessionResponse Failed(int level, std::int64_t x) {
  v1::SessionResponse response;
  SetKey(*response.mutable_failed()->mutable_key(), level, x);
  return response;
}

v1::SessionResponse Settled(std::uint64_t id) {
  v1::SessionResponse response;
  response.mutable_settled()->set_view_id(id);
  return response;
}

class SessionRulesTest : public ::testing::Test {
 protected:
  SessionRulesTest() { rules_.Begin(kRulesGrid); }

  // The error of a response that is not allowed; empty if it is allowed.
  std::string Received(const v1::SessionResponse& response) {
    const absl::Status status = rules_.Received(response);
    EXPECT_TRUE(status.ok() || status.code() == absl::StatusCode::kInternal);
    return std::string(status.message());
  }

  SessionRules rules_;
};

TEST_F(SessionRulesTest, TilesMayNotComeBeforeAView) {
  rules_.Sent(Credit(9, 9'000));
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr("outside every view"));
  EXPECT_THAT(Received(Failed(0, 0)), HasSubstr("outside every view"));
  EXPECT_EQ(Received(Settled(1)),
            "the server settled view 1, which the client did not send (views so far: 0)");
  rules_.Sent(View(1, 0));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  EXPECT_EQ(Received(Settled(1)), "");
  EXPECT_EQ(Received(Settled(0)),
            "the server settled view 0, which the client did not send (views so far: 1)");
}

TEST_F(SessionRulesTest, TilesCostCredit) {
  rules_.Sent(View(1, 0));
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr(" without credit"));
  rules_.Sent(Credit(2, 1'000));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr(" without credit"));
  // A tile that fails costs no credit.
  EXPECT_EQ(Received(Failed(0, 0)), "");
  rules_.Sent(Credit(1, 0));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
}

TEST_F(SessionRulesTest, BytesBeyondTheCreditAreOwed) {
  rules_.Sent(View(1, 0));
  rules_.Sent(Credit(100, 1'000));
  EXPECT_EQ(Received(SentTile(0, 0, 5'000)), "");
  rules_.Sent(Credit(0, 3'000));
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr(" without credit"));
  rules_.Sent(Credit(0, 3'000));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
}

TEST_F(SessionRulesTest, CreditNeverOverflows) {
  rules_.Sent(View(1, 0));
  for (int n = 0; n < 100'000; ++n) rules_.Sent(Credit(0xFFFF'FFFF, ~std::uint64_t{0}));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
}

TEST_F(SessionRulesTest, AViewCoversItsRangeAndTheWayAhead) {
  rules_.Sent(Credit(100, 100'000));
  rules_.Sent(View(1, 0, 10'000));  // 600 km
  EXPECT_EQ(Received(SentTile(0, -1)), "");
  EXPECT_EQ(Received(SentTile(0, 4)), "");
  EXPECT_THAT(Received(SentTile(0, -4)), HasSubstr("outside every view"));
  EXPECT_THAT(Received(SentTile(0, 8)), HasSubstr("outside every view"));
  // A fine tile is allowed if the coarse tile over it is in a view.
  EXPECT_EQ(Received(SentTile(11, 0)), "");
  EXPECT_THAT(Received(SentTile(11, 8 << 11)), HasSubstr("outside every view"));
}

// Tiles of an earlier view may still be on their way.
TEST_F(SessionRulesTest, AnEarlierViewCountsUntilALaterOneIsSettledTwice) {
  rules_.Sent(Credit(100, 100'000));
  rules_.Sent(View(1, 0));
  rules_.Sent(View(2, 100 * kSide));
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  EXPECT_EQ(Received(Settled(1)), "");
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  EXPECT_EQ(Received(Settled(2)), "");
  EXPECT_EQ(Received(SentTile(0, 0)), "");
  rules_.Sent(View(3, 100 * kSide));
  EXPECT_EQ(Received(Settled(3)), "");
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr("outside every view"));
  EXPECT_EQ(Received(SentTile(0, 100)), "");
}

TEST_F(SessionRulesTest, ARequestedTileMayComeOnceFromAnywhere) {
  rules_.Sent(Credit(100, 100'000));
  v1::SessionRequest want;
  SetKey(*want.mutable_want()->add_keys(), 3, 1 << 20);
  rules_.Sent(want);
  EXPECT_EQ(rules_.wanted(), 1U);
  EXPECT_EQ(Received(SentTile(3, 1 << 20)), "");
  EXPECT_EQ(rules_.wanted(), 0U);
  EXPECT_THAT(Received(SentTile(3, 1 << 20)), HasSubstr("outside every view"));
}

TEST_F(SessionRulesTest, ANewSessionStartsWithoutViewsAndCredit) {
  rules_.Sent(Credit(100, 100'000));
  rules_.Sent(View(1, 0));
  rules_.Begin(kRulesGrid);
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr("outside every view"));
  rules_.Sent(View(2, 0));
  EXPECT_THAT(Received(SentTile(0, 0)), HasSubstr("without credit"));
}

TEST_F(SessionRulesTest, EveryViewCoversAllOfAPlanet) {
  constexpr double kPlanetCellM = 1'000'000 * 3.14159265358979 / 512;
  rules_.Begin({.cell_size_m = kPlanetCellM, .levels = 12, .radius_m = 1'000'000});
  rules_.Sent(Credit(100, 100'000));
  v1::SessionResponse tile = SentTile(3, 7);
  tile.mutable_tile()->mutable_key()->set_face(5);
  EXPECT_EQ(Received(tile),
            "the server sent tile face 5 3/7/0, which was not asked for and is outside every view");
  v1::SessionRequest view;
  view.mutable_view()->set_id(1);
  view.mutable_view()->mutable_space_position_m()->set_x(2'000'000);
  rules_.Sent(view);
  EXPECT_EQ(Received(tile), "");
  EXPECT_EQ(Received(Settled(1)), "");
  tile.mutable_tile()->mutable_key()->set_face(6);
  EXPECT_EQ(Received(tile), "invalid face: expected 0 to 5, got 6");
  EXPECT_EQ(Received(SentTile(3, 8)), "invalid x: expected 0 to 7, got 8");
}

}  // namespace
}  // namespace thalweg
