#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "server/rpc/stream_tiles.h"
#include "tests/service/test_server.h"

namespace thalweg::service {
namespace {

using Place = std::pair<std::int64_t, std::int64_t>;

// Reads a whole stream. A tile that comes twice fails the test.
std::map<Place, std::string> ReadAll(TestServer& server, const v1::StreamTilesRequest& request) {
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, request);
  std::map<Place, std::string> tiles;
  v1::StreamTilesResponse response;
  while (reader->Read(&response)) {
    const v1::Tile& tile = response.tile();
    const Place place{tile.key().x(), tile.key().y()};
    EXPECT_TRUE(tiles.emplace(place, tile.SerializeAsString()).second);
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  return tiles;
}

std::string GetOne(TestServer& server, const v1::GetTileRequest& request) {
  PendingTile call(server, request);
  EXPECT_TRUE(call.Await().ok());
  return call.tile().SerializeAsString();
}

TEST(StreamTest, GivesEveryTileOnce) {
  TestServer server;
  const auto tiles = ReadAll(server, RectangleRequestOf(1, -7, 3, 13, 9));
  EXPECT_EQ(tiles.size(), 13U * 9U);
  EXPECT_EQ(tiles.begin()->first, Place(-7, 3));
  EXPECT_EQ(tiles.rbegin()->first, Place(5, 11));
}

TEST(StreamTest, GivesTheTilesOfGetTile) {
  TestServer server;
  const auto cold = ReadAll(server, RectangleRequestOf(1, -1, -1, 3, 3));
  const auto hot = ReadAll(server, RectangleRequestOf(1, -1, -1, 3, 3));
  EXPECT_EQ(cold, hot);
  EXPECT_EQ(server.tiles().stats().tiles_encoded, 9U);
  TestServer other;
  for (const auto& [place, bytes] : cold) {
    EXPECT_EQ(GetOne(other, TileRequestOf(1, place.first, place.second)), bytes);
  }
}

TEST(StreamTest, AsksNoMoreThanTheWindowAhead) {
  TestServer server;
  server.device().Close();
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 100, 100));
  AwaitTrue([&] { return server.tiles().stats().flights >= rpc::kStreamWindowTiles; });
  // Nothing is written while the gate is closed, so nothing more may be asked for.
  server.device().AwaitRunAtGate();
  EXPECT_EQ(server.tiles().stats().flights, rpc::kStreamWindowTiles);
  context.TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

// If a caller stops reading, the server stops sending. gRPC and the sockets buffer a few megabytes
// of the rectangle's 46.
TEST(StreamTest, WaitsForASlowReader) {
  TestServer server;
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 40, 40));
  v1::StreamTilesResponse response;
  ASSERT_TRUE(reader->Read(&response));
  // Without a window, tiles would be under way until all of them are finished.
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
  EXPECT_LT(server.tiles().stats().tiles_encoded, 800U);
  context.TryCancel();
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
}

TEST(StreamTest, CancellingDropsTheRest) {
  TestServer server;
  server.device().Close();
  {
    grpc::ClientContext context;
    const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 100, 100));
    AwaitTrue([&] { return server.tiles().stats().flights == rpc::kStreamWindowTiles; });
    server.device().AwaitRunAtGate();
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
  server.device().Open();
  // The batch under way is finished. No other one begins.
  EXPECT_TRUE(PendingTile(server, TileRequestOf(0, -5, -5)).Await().ok());
  EXPECT_EQ(server.device().runs().size(), 2U);
}

TEST(StreamTest, EndsWithTheFirstError) {
  TestServer server;
  server.device().FailOnce(
      [](const field::FakeRun& run) {
        for (const world::BlockKey& key : run.blocks) {
          if (key.x == 2 && key.y == 2) return true;
        }
        return false;
      },
      absl::InternalError("broken"));
  grpc::ClientContext context;
  const auto reader = server.stub().StreamTiles(&context, RectangleRequestOf(0, 0, 0, 5, 5));
  v1::StreamTilesResponse response;
  int tiles = 0;
  while (reader->Read(&response)) ++tiles;
  const grpc::Status status = reader->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_THAT(status.error_message(), testing::HasSubstr("broken"));
  EXPECT_LT(tiles, 25);
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
}

}  // namespace
}  // namespace thalweg::service
