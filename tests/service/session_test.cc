#include "server/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "proto/geometry/selection.h"
#include "proto/geometry/tile_tree.h"
#include "server/tile/tile_query.h"
#include "tests/field/test_world.h"
#include "tests/service/session_client.h"
#include "tests/service/test_server.h"
#include "tests/session/sample_view.h"

namespace thalweg::service {
namespace {

using session::SampleView;

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using wire::TileKey;

std::vector<TileKey> Row(std::int64_t count, int level = 0) {
  std::vector<TileKey> keys;
  for (std::int64_t x = 0; x < count; ++x) keys.push_back({.level = level, .x = x, .y = 0});
  return keys;
}

std::vector<TileKey> KeysOf(const std::vector<v1::Tile>& tiles) {
  std::vector<TileKey> keys;
  for (const v1::Tile& tile : tiles) keys.push_back(tile::FromProto(tile.key()));
  return keys;
}

std::vector<v1::Tile> TilesOf(const std::vector<v1::SessionResponse>& responses) {
  std::vector<v1::Tile> tiles;
  for (const v1::SessionResponse& response : responses) {
    if (response.has_tile()) tiles.push_back(response.tile());
  }
  return tiles;
}

constexpr std::uint32_t kPlenty = 100'000;

// A tile that does not exist. The session reports its failure at once, whatever else waits.
constexpr TileKey kNoTile{.level = 99};

TEST(SessionTest, TheFirstMessageMustBeOpen) {
  TestServer server;
  SessionClient client(server, nullptr);
  client.Grant(1);
  EXPECT_FALSE(client.Read());
  const grpc::Status status = client.Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("'open'"));
}

TEST(SessionTest, AnUnknownWorldEndsTheSession) {
  TestServer server;
  SessionClient client(server, nullptr);
  v1::SessionRequest request;
  request.mutable_open()->set_world("atlantis");
  client.Send(request);
  EXPECT_FALSE(client.Read());
  EXPECT_EQ(client.Finish().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(SessionTest, WantedTilesEqualThoseOfGetTile) {
  TestServer server;
  SessionClient client(server);
  client.Want(Row(5, 1));
  client.Grant(kPlenty);
  for (const v1::Tile& tile : client.ReadTiles(5)) {
    PendingTile call(server, TileRequestOf(1, tile.key().x(), tile.key().y()));
    ASSERT_TRUE(call.Await().ok());
    EXPECT_EQ(tile.SerializeAsString(), call.tile().SerializeAsString());
  }
}

TEST(SessionTest, SendsOnlyTilesWithinTheCredit) {
  TestServer server;
  SessionClient client(server);
  client.Want(Row(10));
  client.Grant(3);
  EXPECT_THAT(KeysOf(client.ReadTiles(3)), testing::SizeIs(3));
  // Tiles without credit are not even computed. The failure comes next: no tile was on its way.
  client.Want({kNoTile});
  EXPECT_TRUE(client.Read()->has_failed());
  EXPECT_EQ(server.tiles().stats().tiles_encoded, 3U);
  client.Grant(kPlenty);
  EXPECT_THAT(KeysOf(client.ReadTiles(7)), testing::SizeIs(7));
}

TEST(SessionTest, OwedBytesDelayTheNextTile) {
  TestServer server;
  // Both tiles are in the cache: if the second were sent, it would come at once.
  for (int x = 0; x < 2; ++x) {
    ASSERT_TRUE(PendingTile(server, TileRequestOf(0, x, 0)).Await().ok());
  }
  SessionClient client(server);
  client.Want(Row(2));
  client.Grant(2, 1);
  const v1::Tile first = client.ReadTiles(1).front();
  // Still not enough: one byte of the first tile is still owed.
  client.Grant(0, first.ByteSizeLong() - 1);
  client.Want({kNoTile});
  EXPECT_TRUE(client.Read()->has_failed());
  client.Grant(0, 1);
  client.ReadTiles(1);
}

TEST(SessionTest, NothingIsComputedWithoutCredit) {
  TestServer server;
  SessionClient client(server);
  client.Want(Row(10));
  client.Look(SampleView(1));
  // An answer shows that both were taken.
  client.Want({kNoTile});
  EXPECT_TRUE(client.Read()->has_failed());
  EXPECT_THAT(server.device().runs(), IsEmpty());
}

TEST(SessionTest, AViewGetsWhatItNeedsCoarseBeforeFine) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  const v1::View view = SampleView(7);
  client.Look(view);
  const auto responses = client.ReadUntil(IsSettled);
  EXPECT_EQ(responses.back().settled().view_id(), 7U);
  EXPECT_EQ(responses.back().settled().failed(), 0U);
  std::map<TileKey, lod::TileFacts> facts;
  for (const v1::Tile& tile : TilesOf(responses)) {
    const TileKey key = tile::FromProto(tile.key());
    EXPECT_TRUE(facts
                    .emplace(key, lod::TileFacts{tile.geometric_error(), tile.layers(0).min(),
                                                 tile.layers(0).max()})
                    .second)
        << "sent twice";
    EXPECT_TRUE(key.level == 0 || facts.contains(lod::ParentOf(key)));
  }
  // The client, with the facts that it has got, chooses the same tiles.
  const auto chosen = session::FromProto(view, wire::Shape::kPlane);
  ASSERT_TRUE(chosen.ok());
  const auto world = field::TestWorld();
  const lod::Selection selection = lod::Selection::Of(
      chosen->view, {.cell_size_m = world->level(0).cell_size_m, .levels = world->levels()},
      [&facts](const TileKey& key) {
        const auto found = facts.find(key);
        return found == facts.end() ? nullptr : &found->second;
      });
  EXPECT_EQ(responses.back().settled().tiles(), selection.tiles().size());
  for (const lod::Wanted& wanted : selection.tiles()) EXPECT_TRUE(facts.contains(wanted.key));
}

TEST(SessionTest, AViewIsSettledOnce) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Look(SampleView(1));
  client.ReadUntil(IsSettled);
  client.Want({kNoTile});
  const auto next = client.Read();
  EXPECT_TRUE(next && next->has_failed());
}

TEST(SessionTest, ATileIsNotWrittenBeforeItsParent) {
  const TileKey parent{.level = 0, .x = 2, .y = 3};
  const TileKey child{.level = 1, .x = 4, .y = 6};
  TestServer server;
  // The child is in the cache. Its parent can't be made before the device's gate opens.
  ASSERT_TRUE(PendingTile(server, TileRequestOf(child.level, child.x, child.y)).Await().ok());
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 90, 90));
  server.device().AwaitRunAtGate();
  SessionClient client(server);
  client.Want({parent, child});
  client.Grant(kPlenty);
  client.Want({kNoTile});
  const auto first = client.Read();
  EXPECT_TRUE(first && first->has_failed());
  server.device().Open();
  EXPECT_THAT(KeysOf(client.ReadTiles(2)), testing::ElementsAre(parent, child));
}

TEST(SessionTest, ATileThatBecomesMoreUrgentIsComputedFirst) {
  TestServer server;
  server.device().Close();
  PendingTile running(server, TileRequestOf(0, 90, 90));
  server.device().AwaitRunAtGate();
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Want(Row(10), v1::PRIORITY_BAKE);
  client.Want({{.x = 9}}, v1::PRIORITY_INTERACTIVE);
  // An answer shows that both were taken.
  client.Want({kNoTile});
  const auto answer = client.Read();
  EXPECT_TRUE(answer && answer->has_failed());
  server.device().Open();
  client.ReadTiles(10);
  // runs[0] was at the gate before. The urgent tile comes next.
  const auto runs = server.device().runs();
  ASSERT_GT(runs.size(), 1U);
  EXPECT_THAT(runs[1].blocks, testing::ElementsAre(world::BlockKey{0, 0, 9, 0}));
}

TEST(SessionTest, AResumedSessionSendsNoTileTwice) {
  TestServer server;
  std::vector<v1::Tile> before;
  {
    SessionClient client(server);
    client.Look(SampleView(1));
    client.Grant(20);
    before = client.ReadTiles(20);
    client.Cancel();
  }
  SessionClient client(server);
  client.Have(before);
  client.Grant(kPlenty);
  client.Look(SampleView(1));
  const auto responses = client.ReadUntil(IsSettled);
  const auto keys = KeysOf(before);
  const std::set<TileKey> had(keys.begin(), keys.end());
  std::set<TileKey> unchanged;
  for (const v1::SessionResponse& response : responses) {
    if (response.has_unchanged()) {
      EXPECT_TRUE(unchanged.insert(tile::FromProto(response.unchanged().key())).second)
          << "told twice";
    }
    EXPECT_FALSE(response.has_tile() && had.contains(tile::FromProto(response.tile().key())));
  }
  // The view needs all of the first tiles.
  EXPECT_EQ(unchanged, had);
}

TEST(SessionTest, ATileWithAnotherTagIsSentAgain) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Want(Row(1));
  v1::Tile tile = client.ReadTiles(1).front();
  tile.set_tag(tile.tag() + 1);
  SessionClient other(server);
  other.Grant(kPlenty);
  other.Have({tile});
  other.Want(Row(1));
  EXPECT_TRUE(other.Read()->has_tile());
}

TEST(SessionTest, DroppedTilesAreSentAgain) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Want(Row(1));
  client.ReadTiles(1);
  client.Want(Row(1));
  EXPECT_TRUE(client.Read()->has_unchanged());
  v1::SessionRequest drop;
  *drop.mutable_drop()->add_keys() = tile::ToProto(Row(1).front());
  client.Send(drop);
  client.Want(Row(1));
  EXPECT_TRUE(client.Read()->has_tile());
}

TEST(SessionTest, TurningAroundDropsWorkThatHasNotStarted) {
  TestServer server;
  server.device().Close();
  SessionClient client(server);
  client.Grant(kPlenty);
  // The range is so large that the view needs many tiles of level 0.
  v1::View view = SampleView(1);
  view.set_range_m(1e9);
  client.Look(view);
  server.device().AwaitRunAtGate();
  AwaitTrue([&] { return server.tiles().stats().flights == session::kSessionWindowTiles; });
  // The other view is so far away that the two need no common tile.
  const v1::View other = SampleView(2, 9'000'000);
  client.Look(other);
  // All blocks are dropped, but not those of the run at the gate.
  constexpr std::size_t kMaxInARun = 4;
  AwaitTrue([&] {
    return server.tiles().field_stats().blocks_dropped >= session::kSessionWindowTiles - kMaxInARun;
  });
  server.device().Open();
  const auto responses = client.ReadUntil(IsSettled);
  EXPECT_EQ(responses.back().settled().view_id(), 2U);
  for (const v1::Tile& tile : TilesOf(responses)) EXPECT_GT(tile.key().x(), 10);
  // Only the run at the gate had blocks of the first view.
  int first_view_blocks = 0;
  for (const field::FakeRun& run : server.device().runs()) {
    for (const world::BlockKey& block : run.blocks) first_view_blocks += block.x < 10 ? 1 : 0;
  }
  EXPECT_LE(first_view_blocks, static_cast<int>(kMaxInARun));
}

TEST(SessionTest, AFailedTileDoesNotEndTheSession) {
  TestServer server;
  server.device().FailOnce([](const field::FakeRun& run) { return run.blocks.front().x == 3; },
                           absl::InternalError("broken"));
  SessionClient client(server);
  client.Want({{.x = 3}});
  client.Grant(kPlenty);
  const auto response = client.Read();
  ASSERT_TRUE(response && response->has_failed());
  EXPECT_EQ(response->failed().code(), static_cast<std::uint32_t>(absl::StatusCode::kInternal));
  EXPECT_THAT(response->failed().message(), HasSubstr("broken"));
  client.Want({{.x = 3}, {.x = 100}});
  EXPECT_THAT(client.ReadTiles(2), Not(IsEmpty()));
}

TEST(SessionTest, TilesOutsideTheWorldFail) {
  TestServer server;
  SessionClient client(server);
  client.Want({{.level = 77}, {.x = std::int64_t{1} << 50}});
  for (int n = 0; n < 2; ++n) {
    EXPECT_EQ(client.Read()->failed().code(),
              static_cast<std::uint32_t>(absl::StatusCode::kOutOfRange));
  }
}

TEST(SessionTest, AnInvalidViewEndsTheSession) {
  TestServer server;
  for (const auto& [spoil, word] :
       std::vector<std::pair<std::function<void(v1::View&)>, std::string>>{
           {[](v1::View& view) { view.set_vertical_fov_deg(0); }, "vertical_fov_deg"},
           {[](v1::View& view) { view.set_lookahead_s(-1); }, "lookahead_s"},
           {[](v1::View& view) { view.mutable_position_m()->set_up(0.0 / 0.0); }, "position"},
           {[](v1::View& view) { view.set_id(0); }, ""}}) {
    SessionClient client(server);
    v1::View view = SampleView(1);
    client.Look(view);
    view.set_id(2);
    spoil(view);
    client.Look(view);
    while (client.Read()) continue;
    const grpc::Status status = client.Finish();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr(word));
  }
}

// A write that ends while a message is being handled must not start to read the next message.
TEST(SessionTest, MessagesAreReadInOrderWhileTilesAreWritten) {
  constexpr std::uint64_t kViews = 5'000;
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  std::thread writer([&client] {
    for (std::uint64_t id = 1; id <= kViews; ++id) {
      client.Look(SampleView(id, 100, 100));
      // Dropped tiles are sent again, so that there is always something to write.
      v1::SessionRequest drop;
      for (std::int64_t x = 0; x < 4; ++x) {
        *drop.mutable_drop()->add_keys() = tile::ToProto({.level = 0, .x = x, .y = 0});
      }
      if (!client.Send(drop)) return;
      client.Want(Row(4));
    }
  });
  const auto responses = client.ReadUntil([](const v1::SessionResponse& response) {
    return response.has_settled() && response.settled().view_id() == kViews;
  });
  writer.join();
  ASSERT_FALSE(responses.empty());
  EXPECT_TRUE(responses.back().has_settled()) << client.Finish().error_message();
}

TEST(SessionTest, AClientThatStopsSendingGetsItsTiles) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Want(Row(100));
  client.HalfClose();
  EXPECT_EQ(client.ReadUntil([](const auto&) { return false; }).size(), 100U);
  EXPECT_TRUE(client.Finish().ok());
}

// For a client that reads nothing, only a window of tiles waits, and what gRPC and the sockets
// buffer.
TEST(SessionTest, AClientThatReadsNothingStopsItsTiles) {
  TestServer server;
  SessionClient client(server);
  client.Grant(kPlenty);
  client.Want(Row(2'000));
  ASSERT_TRUE(client.Read());
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
  EXPECT_LT(server.tiles().stats().tiles_encoded, 800U);
}

TEST(SessionTest, AClientThatVanishesLeavesNothingBehind) {
  TestServer server;
  server.device().Close();
  {
    SessionClient client(server);
    client.Grant(kPlenty);
    client.Want(Row(50));
    AwaitTrue([&] { return server.tiles().stats().flights == 50; });
    server.device().AwaitRunAtGate();
  }
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
  server.device().Open();
}

TEST(SessionTest, AServerThatStopsEndsTheSessionAtOnce) {
  TestServer server;
  SessionClient client(server);
  EXPECT_TRUE(server.rpc().Drain(std::chrono::hours(1)));
  EXPECT_FALSE(client.Read());
  EXPECT_EQ(client.Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace thalweg::service
