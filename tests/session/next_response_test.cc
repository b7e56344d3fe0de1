// What a session gives its writer to write, and when it says that nothing is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "tests/session/session_fixture.h"

namespace thalweg::session {
namespace {

using testing::SizeIs;

class NextResponseTest : public SessionFixture {
 protected:
  static NextResponse NextOf(Session& session) {
    auto next = session.Next();
    EXPECT_TRUE(next.ok()) << next.status();
    return next.ok() ? *std::move(next) : NextResponse{};
  }

  // The size of each of these tiles, by its x. It also brings the tiles into the cache.
  std::map<std::int64_t, std::uint64_t> SizesOf(const std::vector<wire::TileKey>& keys) {
    const auto session = Open();
    EXPECT_TRUE(Send(*session, CreditOf(1'000)).ok());
    EXPECT_TRUE(Send(*session, WantOf(keys)).ok());
    std::map<std::int64_t, std::uint64_t> sizes;
    for (const v1::Tile& tile : AwaitTiles(*session, keys.size())) {
      sizes[tile.key().x()] = tile.ByteSizeLong();
    }
    session->Close();
    return sizes;
  }
};

// If the client has sent its last message, the writer ends the call when there is nothing more to
// write.
TEST_F(NextResponseTest, ATileFinishedBetweenTwoTurnsIsNotLost) {
  device_->Close();
  const auto session = Open();
  ASSERT_TRUE(Send(*session, CreditOf(10)).ok());
  ASSERT_TRUE(Send(*session, WantOf(RowOf(1))).ok());
  const NextResponse before = NextOf(*session);
  EXPECT_FALSE(before.response);
  EXPECT_FALSE(before.idle);
  const int wakes = wakes_;
  device_->Open();
  AwaitWake(wakes);
  const NextResponse after = NextOf(*session);
  ASSERT_TRUE(after.response);
  EXPECT_NE(after.response->tile, nullptr);
  session->Pump();
  const NextResponse last = NextOf(*session);
  EXPECT_FALSE(last.response);
  EXPECT_TRUE(last.idle);
  session->Close();
}

TEST_F(NextResponseTest, IsNotIdleWhileAPlanIsBeingMade) {
  const auto session = Open();
  ASSERT_TRUE(Send(*session, CreditOf(1'000)).ok());
  EXPECT_TRUE(NextOf(*session).idle);
  ASSERT_TRUE(Send(*session, ViewOf(1)).ok());
  EXPECT_FALSE(NextOf(*session).idle);
  // All results of the view are sent before the session is idle.
  bool settled = false;
  for (bool idle = false; !idle;) {
    timer_.RunAll();
    for (const v1::SessionResponse& response : Take(*session, &idle)) {
      settled |= response.has_settled();
    }
  }
  EXPECT_TRUE(settled);
  session->Close();
}

// All tiles are in the cache: a tile that is sent comes at once.
TEST_F(NextResponseTest, TilesUseUpTheGrantedBytes) {
  const auto keys = RowOf(4);
  auto sizes = SizesOf(keys);
  ASSERT_THAT(sizes, SizeIs(4));
  const auto session = Open();
  ASSERT_TRUE(Send(*session, CreditOf(1'000, sizes[0] + sizes[1])).ok());
  ASSERT_TRUE(Send(*session, WantOf(keys)).ok());
  EXPECT_THAT(Take(*session), SizeIs(2));
  EXPECT_TRUE(NextOf(*session).idle);
  // One byte of credit is enough to send one tile. The rest of its bytes is owed.
  ASSERT_TRUE(Send(*session, CreditOf(0, 1)).ok());
  EXPECT_THAT(Take(*session), SizeIs(1));
  ASSERT_TRUE(Send(*session, CreditOf(0, sizes[2] - 1)).ok());
  EXPECT_THAT(Take(*session), SizeIs(0));
  ASSERT_TRUE(Send(*session, CreditOf(0, 1)).ok());
  EXPECT_THAT(Take(*session), SizeIs(1));
  session->Close();
}

TEST_F(NextResponseTest, HugeCreditIsStillCredit) {
  const auto keys = RowOf(2);
  SizesOf(keys);
  const auto session = Open();
  for (int n = 0; n < 3; ++n) {
    ASSERT_TRUE(Send(*session, CreditOf(std::numeric_limits<std::uint32_t>::max(),
                                        std::numeric_limits<std::uint64_t>::max()))
                    .ok());
  }
  ASSERT_TRUE(Send(*session, WantOf(keys)).ok());
  EXPECT_THAT(Take(*session), SizeIs(2));
  session->Close();
}

// A tile counts with its uncompressed size, so that the bytes of all waiting tiles have a limit.
TEST_F(NextResponseTest, TilesOfManyLayersHaveASmallerWindow) {
  device_->Close();
  for (const bool all_layers : {false, true}) {
    auto session = std::make_shared<Session>(context_, [] {});
    v1::SessionRequest open;
    open.mutable_open()->set_world("test-1");
    const int layers = all_layers ? 9 : 1;
    if (all_layers) {
      for (const v1::Layer layer : {v1::LAYER_HEIGHT, v1::LAYER_FLOW, v1::LAYER_WASH_LOAD,
                                    v1::LAYER_UPLIFT, v1::LAYER_SEDIMENT, v1::LAYER_WEAR,
                                    v1::LAYER_DEPOSIT, v1::LAYER_NORMAL, v1::LAYER_SLOPE}) {
        open.mutable_open()->add_layers(layer);
      }
    }
    ASSERT_TRUE(Send(*session, open).ok());
    ASSERT_TRUE(Send(*session, CreditOf(1'000)).ok());
    ASSERT_TRUE(Send(*session, WantOf(RowOf(100))).ok());
    const std::size_t tile_bytes = std::size_t{257} * 257 * 4 * static_cast<std::size_t>(layers);
    EXPECT_LE(session->load().pending * tile_bytes, kSessionWindowBytes);
    EXPECT_EQ(session->load().pending, all_layers ? 28U : 64U);
    session->Close();
  }
}

}  // namespace
}  // namespace thalweg::session
