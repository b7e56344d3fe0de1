#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "server/rpc/tile_calls.h"
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

TEST(StreamTest, SendsEveryTileOnce) {
  TestServer server;
  const auto tiles = ReadAll(server, RectangleRequestOf(1, -7, 3, 13, 9));
  EXPECT_EQ(tiles.size(), 13U * 9U);
  EXPECT_EQ(tiles.begin()->first, Place(-7, 3));
  EXPECT_EQ(tiles.rbegin()->first, Place(5, 11));
}

TEST(StreamTest, SendsTheTilesOfGetTile) {
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

TEST(StreamTest, ComputesAheadOnlyWithinTheWindow) {
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

// Each stream may have a window of tiles, but all streams of a caller share its part of the room.
TEST(StreamTest, ManyUnreadStreamsStayWithinTheCallersRoom) {
  constexpr std::int64_t kStreams = 24;
  constexpr std::uint32_t kSide = 8;
  TestServerOptions options;
  options.answer_bytes = std::size_t{8} << 20;
  TestServer server(std::move(options));
  struct Stream {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::StreamTilesResponse>> reader;
  };
  std::deque<Stream> streams;
  for (std::int64_t n = 0; n < kStreams; ++n) {
    Stream& stream = streams.emplace_back();
    // If one never gets a tile, the test ends with an error.
    stream.context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
    stream.reader = server.stub().StreamTiles(&stream.context,
                                              RectangleRequestOf(2, 0, n * kSide, kSide, kSide));
  }
  // None is kept from its first tile by those that came before.
  v1::StreamTilesResponse response;
  for (Stream& stream : streams) ASSERT_TRUE(stream.reader->Read(&response));
  AwaitTrue([&] { return server.tiles().stats().flights == 0; });
  EXPECT_LE(server.tiles().room()->held(), server.tiles().room()->bytes() / 2);
  // They go on when they are read, also if one is read to its end while the others are not.
  for (Stream& stream : streams) {
    std::uint32_t tiles = 1;
    while (stream.reader->Read(&response)) ++tiles;
    EXPECT_EQ(tiles, kSide * kSide);
    const grpc::Status status = stream.reader->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  AwaitTrue([&] { return server.tiles().room()->held() == 0; });
}

// A caller without room waits for its own answers instead of being refused.
TEST(StreamTest, SingleTilesWaitForRoom) {
  TestServerOptions options;
  options.answer_bytes = std::size_t{1} << 20;
  TestServer server(std::move(options));
  server.device().Close();
  std::deque<PendingTile> calls;
  for (std::int64_t n = 0; n < 32; ++n) calls.emplace_back(server, TileRequestOf(0, n, 0));
  AwaitTrue(
      [&] { return server.tiles().room()->waiting() + server.tiles().stats().flights == 32; });
  EXPECT_LE(server.tiles().room()->held(), server.tiles().room()->bytes() / 2);
  calls.back().Cancel();
  EXPECT_EQ(calls.back().Await().error_code(), grpc::StatusCode::CANCELLED);
  calls.pop_back();
  server.device().Open();
  for (PendingTile& call : calls) EXPECT_TRUE(call.Await().ok());
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
