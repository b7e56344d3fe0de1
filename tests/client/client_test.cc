// The library against a server in this process.
#include "thalweg/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <set>

#include "tests/client/fake_server.h"

namespace thalweg {
namespace {

using client_test::FakeServer;
using client_test::TerrainAt;
using client_test::TextOf;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint64_t kSeed = 20261120;

class ClientTest : public ::testing::Test {
 protected:
  ClientTest() {
    ClientOptions options;
    options.first_backoff = std::chrono::milliseconds(1);
    options.max_backoff = std::chrono::milliseconds(2);
    auto client = Client::Connect(server_.address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    if (client.ok()) client_ = *std::move(client);
  }

  FakeServer server_;
  std::unique_ptr<Client> client_;
};

// Names the first vertex of a region that differs from the terrain, if there is one.
std::optional<std::string> FirstDifference(const Region& region) {
  for (const RegionPlane& plane : region.planes) {
    std::size_t i = 0;
    for (int y = 0; y < region.height; ++y) {
      for (int x = 0; x < region.width; ++x, ++i) {
        if (plane.values[i] != TerrainAt(plane.layer, region.level, region.x0 + x, region.y0 + y)) {
          return "vertex " + std::to_string(x) + ", " + std::to_string(y) + " of layer " +
                 std::string(LayerName(plane.layer));
        }
      }
    }
  }
  return std::nullopt;
}

TEST(ClientTimeTest, TimeoutsMayBeInfinite) {
  const FakeServer server;
  ClientOptions options;
  options.connect_timeout = std::chrono::milliseconds::max();
  options.call_timeout = std::chrono::milliseconds::max();
  options.stream_timeout = std::chrono::milliseconds::max();
  const auto client = Client::Connect(server.address(), options);
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_TRUE((*client)->ListWorlds().ok());
}

TEST_F(ClientTest, ListsWorlds) {
  const auto worlds = client_->ListWorlds();
  ASSERT_TRUE(worlds.ok()) << worlds.status();
  ASSERT_EQ(worlds->size(), 2U);
  EXPECT_EQ((*worlds)[0].name, "alpine");
  EXPECT_EQ((*worlds)[0].sea_level_m, std::nullopt);
  EXPECT_EQ((*worlds)[1].name, "islands");
  EXPECT_EQ((*worlds)[1].sea_level_m, 0.0);
}

TEST_F(ClientTest, StopsReadingAnEndlessList) {
  server_.faults.repeated_pages = 1;
  const auto worlds = client_->ListWorlds();
  EXPECT_EQ(worlds.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(TextOf(worlds.status()), "list worlds: the server sent the same page again");
  EXPECT_EQ(server_.faults.repeated_pages, 0);
}

TEST_F(ClientTest, GetsAWorldWithAllItsProperties) {
  const auto world = client_->GetWorld("alpine");
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ(world->name, "alpine");
  EXPECT_EQ(world->id, "01010101010101010101010101010161");
  EXPECT_EQ(world->seed, 0xFFFF'FFFF'FFFF'FFFFU);
  EXPECT_EQ(world->generator_version, 3U);
  EXPECT_EQ(world->levels, 12);
  EXPECT_EQ(world->CellSizeM(0), 512);
  EXPECT_EQ(world->CellSizeM(10), 0.5);
  EXPECT_EQ(world->max_vertex, std::int64_t{1} << 48);
  EXPECT_THAT(world->level_costs, testing::IsEmpty());
  EXPECT_THAT(world->layers,
              ElementsAre(Layer::kHeight, Layer::kFlow, Layer::kWashLoad, Layer::kUplift));
}

TEST_F(ClientTest, FindsTheTalusOfTheFirstRuleThatNamesALevel) {
  const auto world = client_->GetWorld("alpine");
  ASSERT_TRUE(world.ok()) << world.status();
  ASSERT_EQ(world->talus_deg.size(), 12U);
  EXPECT_EQ(world->talus_deg[1], 30.0);
  // Of several thermal stages, the smallest angle counts.
  EXPECT_EQ(world->talus_deg[2], 36.5);
  EXPECT_EQ(world->talus_deg[3], 36.5);
  EXPECT_EQ(world->talus_deg[4], 30.0);
  // For level 5, a rule without thermal stages comes before a rule with one.
  EXPECT_EQ(world->talus_deg[5], std::nullopt);
  EXPECT_EQ(world->talus_deg[11], 30.0);
}

TEST_F(ClientTest, LeavesOutUnknownLayers) {
  const auto world = client_->GetWorld("islands");
  ASSERT_TRUE(world.ok()) << world.status();
  ASSERT_EQ(world->layers.size(), AllLayers().size());
  for (const LayerDescription& layer : AllLayers()) EXPECT_TRUE(world->Has(layer.layer));
  EXPECT_FALSE(client_->GetWorld("alpine")->Has(Layer::kWaterDepth));
}

TEST_F(ClientTest, GetsEveryLayer) {
  TileOptions options{{}, Precision::kExact, Priority::kInteractive};
  for (const LayerDescription& layer : AllLayers()) options.layers.push_back(layer.layer);
  const auto tile = client_->GetTile("islands", {.level = 5, .x = -3, .y = 2}, options);
  ASSERT_TRUE(tile.ok()) << tile.status();
  ASSERT_EQ(tile->planes.size(), options.layers.size());
  for (const Plane& plane : tile->planes) {
    EXPECT_EQ(plane.values[kTileVertices + 5], TerrainAt(plane.layer, 5, -763, 513));
  }
}

TEST_F(ClientTest, ErrorsNameTheKnownWorlds) {
  const auto world = client_->GetWorld("alps");
  EXPECT_EQ(world.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(TextOf(world.status()),
            "get world 'alps': unknown world; there are alpine and islands");
}

TEST_F(ClientTest, GetsATile) {
  const TileOptions options{{Layer::kFlow, Layer::kHeight}, Precision::kExact, Priority::kBake};
  const auto tile = client_->GetTile("alpine", {.level = 5, .x = -3, .y = 2}, options);
  ASSERT_TRUE(tile.ok()) << tile.status();
  EXPECT_EQ(tile->key, (TileKey{5, -3, 2}));
  EXPECT_EQ(tile->geometric_error_q16, 17U);
  EXPECT_GT(tile->wire_bytes, 0U);
  ASSERT_EQ(tile->planes.size(), 2U);
  EXPECT_EQ(tile->planes[0].layer, Layer::kFlow);
  ASSERT_EQ(tile->planes[1].values.size(), static_cast<std::size_t>(kTileVertices * kTileVertices));
  EXPECT_EQ(tile->planes[1].values[kTileVertices + 5], TerrainAt(Layer::kHeight, 5, -763, 513));
}

TEST_F(ClientTest, SendsTheAreaOfItsTilesForProxies) {
  ASSERT_TRUE(client_->GetTile("alpine", {.level = 5, .x = -3, .y = 9}).ok());
  const TileRectangle rectangle{.first = {.level = 2, .x = 4, .y = -5}, .columns = 1, .rows = 1};
  ASSERT_TRUE(
      client_->StreamTiles("alpine", rectangle, {}, [](const Tile&) { return absl::OkStatus(); })
          .ok());
  EXPECT_EQ(server_.areas(), (std::vector<std::string>{"alpine/0/4/-2/4", "alpine/0/0/1/-2"}));
}

TEST_F(ClientTest, RefusesATileItDidNotAskFor) {
  server_.faults.stray_tiles = 1;
  const auto tile = client_->GetTile("alpine", {.level = 5, .x = -3, .y = 2});
  EXPECT_EQ(tile.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(TextOf(tile.status()), "get tile 5/-3/2 of 'alpine': the answer is tile 5/997/2");
}

TEST_F(ClientTest, RefusesATileItCannotDecode) {
  server_.faults.corrupt_tiles = 1;
  const auto tile = client_->GetTile("alpine", {.level = 5, .x = 0, .y = 0});
  EXPECT_EQ(tile.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(tile.status()), HasSubstr("tile 5/0/0: layer height: "));
}

TEST_F(ClientTest, RetriesWhileTheServerIsUnavailable) {
  server_.faults.unavailable_calls = 4;
  EXPECT_TRUE(client_->ListWorlds().ok());
  EXPECT_EQ(server_.faults.unavailable_calls, 0);
}

TEST_F(ClientTest, GivesUpAfterTheLastAttempt) {
  server_.faults.unavailable_calls = 6;
  const auto worlds = client_->ListWorlds();
  EXPECT_EQ(worlds.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(TextOf(worlds.status()), "list worlds: " + server_.address() +
                                         " is unavailable after 5 attempts: stopping; is thalwegd "
                                         "running?");
  EXPECT_EQ(server_.faults.unavailable_calls, 1);
}

TEST_F(ClientTest, WaitsAsLongAsALimitedServerAsks) {
  server_.faults.limited_calls = 4;
  EXPECT_TRUE(client_->GetWorld("alpine").ok());
  EXPECT_EQ(server_.faults.limited_calls, 0);
  server_.faults.limited_calls = 2;
  EXPECT_TRUE(client_
                  ->StreamTiles("alpine", {{3, 0, 0}, 2, 2}, {},
                                [](const Tile&) { return absl::OkStatus(); })
                  .ok());
  EXPECT_EQ(server_.faults.limited_calls, 0);
}

// The client's backoff is an hour, but the server asks to retry after a moment.
TEST_F(ClientTest, WaitsNoLongerThanALimitedServerAsks) {
  ClientOptions options;
  options.first_backoff = options.max_backoff = std::chrono::hours(1);
  const auto client = Client::Connect(server_.address(), options);
  ASSERT_TRUE(client.ok()) << client.status();
  server_.faults.limited_calls = 3;
  EXPECT_TRUE((*client)->GetWorld("alpine").ok());
  EXPECT_EQ(server_.faults.limited_calls, 0);
}

TEST_F(ClientTest, GivesUpOnAServerThatStaysLimited) {
  server_.faults.limited_calls = 6;
  const absl::Status limited = client_->GetWorld("alpine").status();
  EXPECT_EQ(limited.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(TextOf(limited), "get world 'alpine': too many");
  EXPECT_EQ(server_.faults.limited_calls, 1);
  server_.faults.limited_calls = 0;
  // Without a delay from the server, the client does not retry.
  server_.faults.exhausted_calls = 2;
  EXPECT_EQ(client_->GetWorld("alpine").status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(server_.faults.exhausted_calls, 1);
}

TEST_F(ClientTest, StreamsEachTileOnce) {
  std::set<TileKey> keys;
  const TileRectangle rectangle{.first = {.level = 3, .x = -2, .y = 7}, .columns = 3, .rows = 2};
  const absl::Status status = client_->StreamTiles("alpine", rectangle, {}, [&](const Tile& tile) {
    EXPECT_TRUE(keys.insert(tile.key).second);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(keys.size(), 6U);
  EXPECT_TRUE(keys.contains({3, -2, 7}));
  EXPECT_TRUE(keys.contains({3, 0, 8}));
}

TEST_F(ClientTest, ResumesABrokenStream) {
  server_.faults.broken_streams = 3;
  server_.faults.tiles_before_break = 3;
  std::multiset<TileKey> keys;
  const TileRectangle rectangle{.first = {.level = 3, .x = 0, .y = 0}, .columns = 2, .rows = 5};
  const absl::Status status = client_->StreamTiles("alpine", rectangle, {}, [&](const Tile& tile) {
    keys.insert(tile.key);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(keys.size(), 10U);
  EXPECT_EQ(std::set<TileKey>(keys.begin(), keys.end()).size(), 10U);
  // Tiles came from the south: the last row is complete, and in the row before it one is missing.
  const auto requests = server_.stream_requests();
  ASSERT_GE(requests.size(), 2U);
  EXPECT_EQ(requests[1].rows(), 4U);
}

TEST_F(ClientTest, GivesUpOnAStreamWithoutTiles) {
  server_.faults.broken_streams = 100;
  const absl::Status status = client_->StreamTiles("alpine", TileRectangle{}, {},
                                                   [](const Tile&) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(TextOf(status), HasSubstr("after 5 attempts: the line went dead"));
}

TEST_F(ClientTest, NoticesAStreamThatEndsTooSoon) {
  server_.faults.short_streams = 1;
  const absl::Status status = client_->StreamTiles("alpine", TileRectangle{.columns = 2}, {},
                                                   [](const Tile&) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
}

TEST_F(ClientTest, NoticesAStrayTile) {
  server_.faults.stray_tiles = 1;
  const absl::Status status = client_->StreamTiles("alpine", TileRectangle{}, {},
                                                   [](const Tile&) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(status),
              HasSubstr("invalid tile: expected one of the rectangle, got 0/1000/0"));
}

TEST_F(ClientTest, EndsAStreamWithTheCallbacksError) {
  int calls = 0;
  const absl::Status status =
      client_->StreamTiles("alpine", TileRectangle{.columns = 20, .rows = 20}, {},
                           [&](const Tile&) { return ++calls, absl::CancelledError("enough"); });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_EQ(calls, 1);
}

TEST_F(ClientTest, DoesNotRetryWhenTheCallbackReturnsUnavailable) {
  int calls = 0;
  const absl::Status status = client_->StreamTiles("alpine", TileRectangle{}, {}, [&](const Tile&) {
    return ++calls, absl::UnavailableError("mine");
  });
  EXPECT_EQ(status, absl::UnavailableError("mine"));
  EXPECT_EQ(calls, 1);
}

TEST_F(ClientTest, ASilentStreamTimesOut) {
  server_.faults.silent_streams = 1;
  ClientOptions options;
  options.stream_timeout = std::chrono::milliseconds(20);
  const auto client = Client::Connect(server_.address(), options);
  ASSERT_TRUE(client.ok());
  const absl::Status status = (*client)->StreamTiles("alpine", TileRectangle{}, {},
                                                     [](const Tile&) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(TextOf(status), HasSubstr("no tile for 0.02 s"));
}

TEST_F(ClientTest, RefusesRectanglesWithTooManyTiles) {
  for (const auto& [columns, rows] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 1}, {1, 0}, {-1, -1}, {65'537, 1}, {257, 256}, {std::int64_t{1} << 62, 4}}) {
    const absl::Status status =
        client_->StreamTiles("alpine", {.first = {}, .columns = columns, .rows = rows}, {},
                             [](const Tile&) { return absl::OkStatus(); });
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << columns << " x " << rows;
  }
  EXPECT_TRUE(server_.stream_requests().empty());
}

TEST_F(ClientTest, RegionsEqualTheTerrainAnywhere) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  const std::int64_t far = std::int64_t{1} << 40;
  for (const std::int64_t around : {std::int64_t{0}, std::int64_t{-5000}, far, -far}) {
    for (int i = 0; i < 6; ++i) {
      RegionRequest request{.world = "alpine",
                            .level = static_cast<int>(random() % 12),
                            .x0 = around + static_cast<std::int64_t>(random() % 1024) - 512,
                            .y0 = -around + static_cast<std::int64_t>(random() % 1024) - 512,
                            .width = 1 + static_cast<int>(random() % 700),
                            .height = 1 + static_cast<int>(random() % 500)};
      if (i == 0) request.layers = {Layer::kUplift, Layer::kHeight};
      SCOPED_TRACE(testing::Message() << request.x0 << ", " << request.y0 << ", " << request.width
                                      << " x " << request.height);
      const auto region = client_->FetchRegion(request);
      ASSERT_TRUE(region.ok()) << region.status();
      EXPECT_EQ(region->planes.size(), request.layers.size());
      EXPECT_EQ(FirstDifference(*region), std::nullopt);
    }
  }
}

// The twin: a difference of one unit at one vertex is found.
TEST_F(ClientTest, ARegionOfAlteredTilesDiffers) {
  server_.faults.altered_tiles = 1;
  const auto region =
      client_->FetchRegion({.world = "alpine", .level = 2, .width = 100, .height = 100});
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(FirstDifference(*region), "vertex 1, 1 of layer height");
}

TEST_F(ClientTest, RegionsAreWholeAfterABrokenStream) {
  server_.faults.broken_streams = 2;
  server_.faults.tiles_before_break = 2;
  std::int64_t done = 0;
  const auto region = client_->FetchRegion(
      {.world = "alpine", .level = 2, .x0 = -300, .y0 = -300, .width = 600, .height = 600},
      [&](const RegionProgress& progress) {
        EXPECT_EQ(progress.tiles_done, ++done);
        EXPECT_EQ(progress.tiles, 16);
      });
  ASSERT_TRUE(region.ok()) << region.status();
  EXPECT_EQ(FirstDifference(*region), std::nullopt);
  EXPECT_EQ(done, 16);
  EXPECT_EQ(region->tiles, 16);
}

TEST_F(ClientTest, RegionsReachTheEdgeOfTheWorld) {
  const std::int64_t edge = std::int64_t{1} << 48;
  for (const auto& [x0, width] :
       std::vector<std::pair<std::int64_t, int>>{{edge - 9, 10}, {edge, 1}, {-edge, 3}}) {
    const auto region = client_->FetchRegion(
        {.world = "alpine", .level = 1, .x0 = x0, .y0 = 0, .width = width, .height = 2});
    ASSERT_TRUE(region.ok()) << x0 << ": " << region.status();
    EXPECT_EQ(FirstDifference(*region), std::nullopt) << x0;
  }
}

TEST_F(ClientTest, RegionsBeyondTheWorldAreOutOfRange) {
  const std::int64_t edge = std::int64_t{1} << 48;
  for (const std::int64_t x0 : {edge - 8, -edge - 1, INT64_MIN, INT64_MAX - 9, INT64_MAX}) {
    const auto region = client_->FetchRegion(
        {.world = "alpine", .level = 1, .x0 = x0, .y0 = 0, .width = 10, .height = 2});
    EXPECT_EQ(region.status().code(), absl::StatusCode::kOutOfRange) << x0;
    EXPECT_THAT(TextOf(region.status()), AnyOf(HasSubstr("invalid tile x: expected -"),
                                               HasSubstr("invalid region: expected vertices of -")))
        << x0;
  }
  for (const int level : {-1, 12}) {
    const auto region =
        client_->FetchRegion({.world = "alpine", .level = level, .width = 1, .height = 1});
    EXPECT_EQ(region.status().code(), absl::StatusCode::kOutOfRange) << level;
  }
}

TEST(ClientConnectTest, SaysThatTheServerDoesNotAnswer) {
  std::string address;
  {
    // This server ends here, so no server listens on its port.
    const FakeServer server;
    address = server.address();
  }
  ClientOptions options;
  options.connect_timeout = std::chrono::milliseconds(50);
  const auto client = Client::Connect(address, options);
  EXPECT_EQ(client.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(TextOf(client.status()), AllOf(StartsWith("connect to " + address + ": "),
                                             HasSubstr("; is thalwegd running?")));
}

TEST(ClientConnectTest, RefusesAnInvalidAddress) {
  for (const char* address : {"", "host", ":7070", "host:", "host:0", "host:65536", "host:7x",
                              "a:b:7070", "http://host:7070", "ho st:1"}) {
    const auto client = Client::Connect(address);
    EXPECT_EQ(client.status().code(), absl::StatusCode::kInvalidArgument) << address;
  }
}

}  // namespace
}  // namespace thalweg
