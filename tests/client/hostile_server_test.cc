// False answers of a server. Each leads to an error that names the fault. Nothing aborts, hangs or
// grows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "proto/wire/status_details.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_tag.h"
#include "tests/client/fake_server.h"
#include "thalweg/client.h"
#include "thalweg/terrain_view.h"

namespace thalweg {
namespace {

using client_test::FakeServer;
using client_test::FakeSessions;
using client_test::kPatience;
using client_test::MakeGroundTile;
using client_test::TextOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

absl::Status TakeAll(const Tile&) { return absl::OkStatus(); }

class HostileServerTest : public ::testing::Test {
 protected:
  // A client that gives up soon.
  std::unique_ptr<Client> Connect() {
    ClientOptions options;
    options.max_attempts = 2;
    options.first_backoff = options.max_backoff = std::chrono::milliseconds(1);
    options.stream_timeout = kPatience;
    auto client = Client::Connect(server_.address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  FakeServer server_;
};

// A false answer, and the client's error.
template <typename Message>
struct Lie {
  std::function<void(Message&)> tell;
  std::string answer;
};

TEST_F(HostileServerTest, InvalidWorldsAreRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Lie<v1::World>> lies = {
      {[](v1::World& w) { w.mutable_spec()->set_levels(0xFFFF'FFFF); },
       "invalid levels: expected 1 to 21, got 4294967295"},
      {[](v1::World& w) {
         v1::Node* node = w.mutable_spec()->mutable_base();
         for (int sums = 0; sums < 20; ++sums) node = node->mutable_sum()->add_nodes();
       },
       "base.sum.nodes[0].sum.nodes[0].sum"},
      {[](v1::World& w) { w.mutable_spec()->set_levels(0); },
       "invalid levels: expected 1 to 21, got 0"},
      {[](v1::World& w) { w.mutable_spec()->set_cell_size_m(kNan); },
       "invalid cell_size_m: expected 1 to 4096, got nan"},
      {[](v1::World& w) { w.mutable_spec()->set_cell_size_m(1e300); },
       "invalid cell_size_m: expected 1 to 4096, got 1e+300"},
      {[](v1::World& w) { w.mutable_spec()->set_sea_level_m(-kNan); },
       "invalid sea_level_m: expected -16000 to 16000, got nan"},
      {[](v1::World& w) {
         for (v1::LevelRule& rule : *w.mutable_spec()->mutable_rules()) {
           for (v1::Stage& stage : *rule.mutable_stages()) {
             if (stage.has_thermal()) stage.mutable_thermal()->set_talus_deg(kNan);
           }
         }
       },
       "invalid talus_deg: expected 1 to 80, got nan"},
      {[](v1::World& w) {
         for (int n = 0; n < 40; ++n) w.mutable_spec()->add_rules();
       },
       "invalid rules: expected 1 to 32 items, got 43"},
      {[](v1::World& w) { w.mutable_spec()->clear_name(); },
       "invalid name: expected 1 to 64 lower-case letters, digits and hyphens, got ''"},
      {[](v1::World& w) { w.mutable_spec()->set_name("\x1b[2Jalpine"); },
       "invalid name: expected 1 to 64 lower-case letters, digits and hyphens, got "
       "'\\x1b[2Jalpine'"},
      {[](v1::World& w) { w.mutable_spec()->set_name("other"); },
       "invalid world: expected 'alpine', got 'other'"},
      {[](v1::World& w) { w.set_id("short"); }, "invalid world id: expected 16 bytes, got 5"},
      {[](v1::World& w) { w.set_max_vertex(std::numeric_limits<std::int64_t>::min()); },
       "invalid max_vertex: expected 256 to 281474976710656, got -9223372036854775808"},
      {[](v1::World& w) { w.add_level_costs(7); },
       "invalid level_costs: expected one for each of 12 levels, got 1"},
      {[](v1::World& w) {
         for (int level = 0; level < 12; ++level) w.add_level_costs(7 - level);
       },
       "invalid level_costs: expected min 1 each, got -4"},
      {[](v1::World& w) { w.clear_layers(); }, "layers lacks height"},
      {[](v1::World& w) { w.add_layers(v1::LAYER_FLOW); }, "layers has flow twice"},
      {[](v1::World& w) { w.clear_spec(); }, "invalid name: expected"},
  };
  const auto client = Connect();
  for (const Lie<v1::World>& lie : lies) {
    SCOPED_TRACE(lie.answer);
    server_.lies.world = lie.tell;
    server_.lies.worlds = [&](v1::ListWorldsResponse& response) {
      lie.tell(*response.mutable_worlds(0));
    };
    const absl::Status told = client->GetWorld("alpine").status();
    EXPECT_EQ(told.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(TextOf(told), StartsWith("get world 'alpine': " + lie.answer));
    EXPECT_EQ(TerrainView::Open(*client, {.world = "alpine"}).status().code(),
              absl::StatusCode::kInternal);
    if (lie.answer.starts_with("invalid world:")) continue;  // a list may have any world
    const absl::Status listed = client->ListWorlds().status();
    EXPECT_EQ(listed.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(TextOf(listed), StartsWith("list worlds: " + lie.answer));
  }
  // The twin: a true answer is accepted.
  server_.lies = {};
  EXPECT_TRUE(client->GetWorld("alpine").ok());
  EXPECT_TRUE(client->ListWorlds().ok());
}

TEST_F(HostileServerTest, AVariantMustHaveTheRequestedSeed) {
  const auto client = Connect();
  const auto variant = client->GetWorld("alpine@7");
  ASSERT_TRUE(variant.ok()) << variant.status();
  EXPECT_EQ(variant->name, "alpine");
  EXPECT_EQ(variant->seed, 7U);
  EXPECT_TRUE(client->GetWorld("00112233445566778899aabbccddeeff@7").status().code() ==
              absl::StatusCode::kNotFound);
  server_.lies.world = [](v1::World& world) { world.mutable_spec()->set_seed(8); };
  EXPECT_THAT(
      TextOf(client->GetWorld("alpine@7").status()),
      StartsWith("get world 'alpine@7': invalid world: expected 'alpine@7', got 'alpine@8'"));
  server_.lies.world = [](v1::World& world) { world.mutable_spec()->set_name("islands"); };
  EXPECT_THAT(
      TextOf(client->GetWorld("alpine@7").status()),
      StartsWith("get world 'alpine@7': invalid world: expected 'alpine@7', got 'islands@7'"));
}

TEST_F(HostileServerTest, InvalidListsAreRefused) {
  const auto client = Connect();
  server_.lies.worlds = [](v1::ListWorldsResponse& response) {
    *response.add_worlds() = response.worlds(0);
  };
  EXPECT_EQ(TextOf(client->ListWorlds().status()),
            "list worlds: invalid order of worlds: expected ascending names, got 'alpine' after "
            "'islands'");
  server_.lies.worlds = [](v1::ListWorldsResponse& response) {
    for (int n = 0; n < 70'000; ++n) response.add_worlds();
  };
  EXPECT_EQ(TextOf(client->ListWorlds().status()),
            "list worlds: invalid list: expected max 65536 worlds, got 70002");
}

// The client makes one line of a server's text, whatever is in it.
TEST_F(HostileServerTest, TextsCannotControlATerminal) {
  const auto client = Connect();
  server_.lies.world = [](v1::World& world) {
    world.mutable_spec()->set_description("high\n\x1b]0;owned\x07\u009b2J \u00e9t\u00e9 \u202e");
  };
  const auto world = client->GetWorld("alpine");
  ASSERT_TRUE(world.ok()) << world.status();
  EXPECT_EQ(world->description,
            "high\\n\\x1b]0;owned\\x07\\xc2\\x9b2J \u00e9t\u00e9 \\xe2\\x80\\xae");
  server_.lies.status = [](grpc::Status& status) {
    status = {grpc::StatusCode::NOT_FOUND, "a\r\nb \x1b[31m" + std::string(6'000, 'x')};
  };
  const absl::Status error = client->GetWorld("alpine").status();
  EXPECT_EQ(error.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(TextOf(error), StartsWith("get world 'alpine': a\\r\\nb \\x1b[31mxxx"));
  EXPECT_THAT(TextOf(error), EndsWith("xxx..."));
  EXPECT_LT(error.message().size(), 4'200U);
}

TEST_F(HostileServerTest, HugeDelaysAreNotWaitedFor) {
  const auto client = Connect();
  server_.lies.status = [](grpc::Status& status) {
    absl::Status full = absl::ResourceExhaustedError("too many");
    wire::SetRetryDelay(full, std::chrono::hours(24 * 365 * 100));
    status = {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many", wire::EncodeDetails(full)};
  };
  EXPECT_EQ(client->GetWorld("alpine").status().code(), absl::StatusCode::kResourceExhausted);
}

std::vector<Lie<v1::Tile>> TileLies() {
  const auto layer = [](v1::Tile& t) -> v1::TileLayer& { return *t.mutable_layers(0); };
  return {
      {[](v1::Tile& t) { t.mutable_key()->set_face(7); }, "invalid face: expected 0 to 5, got 7"},
      {[](v1::Tile& t) { t.mutable_key()->set_level(0xFFFF'FFFF); },
       "invalid level: expected 0 to 20, got 4294967295"},
      {[](v1::Tile& t) { t.mutable_key()->set_y(std::numeric_limits<std::int64_t>::max()); },
       "invalid y: expected -1099511627776 to 1099511627775, got 9223372036854775807"},
      {[](v1::Tile& t) { t.set_world_id(""); }, "invalid world id: expected 16 bytes, got 0"},
      {[](v1::Tile& t) { t.set_tag(t.tag() ^ 1); }, "invalid tag: expected "},
      {[](v1::Tile& t) { t.clear_layers(); }, "invalid layers: expected 1, got 0"},
      {[](v1::Tile& t) { *t.add_layers() = t.layers(0); }, "invalid layers: expected 1, got 2"},
      {[=](v1::Tile& t) { layer(t).set_layer(v1::LAYER_FLOW); }, "the tile has no layer height"},
      {[=](v1::Tile& t) { layer(t).set_lattice_shift(8); },
       "layer height: invalid lattice shift: expected 0, got 8"},
      {[=](v1::Tile& t) { layer(t).set_min(layer(t).min() - 1); },
       "layer height: invalid min and max: expected "},
      {[=](v1::Tile& t) { layer(t).set_max(std::numeric_limits<std::int32_t>::max()); },
       "layer height: invalid min and max: expected "},
      {[=](v1::Tile& t) { layer(t).set_data(std::string(400'000, 'x')); },
       "invalid size: expected max 304096 bytes, got "},
  };
}

TEST_F(HostileServerTest, InvalidTilesAreRefused) {
  const auto client = Connect();
  const TileOptions exact{.layers = {Layer::kHeight}, .precision = Precision::kExact};
  for (const Lie<v1::Tile>& lie : TileLies()) {
    SCOPED_TRACE(lie.answer);
    server_.lies.tile = lie.tell;
    const absl::Status got =
        client->GetTile("alpine", {.level = 3, .x = 0, .y = 0}, exact).status();
    EXPECT_EQ(got.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(TextOf(got), HasSubstr(lie.answer));
    EXPECT_THAT(TextOf(got), StartsWith("get tile 3/0/0 of 'alpine': "));
    const absl::Status streamed =
        client->StreamTiles("alpine", {.first = {.level = 3}}, exact, TakeAll);
    EXPECT_EQ(streamed.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(TextOf(streamed), HasSubstr(lie.answer));
  }
  server_.lies.tile = [](v1::Tile& t) { t.set_geometric_error(1); };
  EXPECT_THAT(TextOf(client->GetTile("alpine", {}, exact).status()),
              HasSubstr("invalid geometric error: expected 0 at level 0, got 1"));
  server_.lies = {};
  EXPECT_TRUE(client->GetTile("alpine", {}, exact).ok());
}

// This world is a plane. Such a tile is valid only on a planet.
TEST_F(HostileServerTest, TilesOfAnotherFaceAreRefused) {
  const auto client = Connect();
  server_.lies.tile = [](v1::Tile& t) { t.mutable_key()->set_face(3); };
  const absl::Status got = client->GetTile("alpine", {.level = 3, .x = 0, .y = 0}).status();
  EXPECT_THAT(TextOf(got), HasSubstr("the answer is tile face 3 3/0/0"));
  const absl::Status streamed = client->StreamTiles("alpine", {.first = {.level = 3}}, {}, TakeAll);
  EXPECT_THAT(TextOf(streamed),
              HasSubstr("invalid tile: expected one of the rectangle, got face 3 3/0/0"));
}

// All tiles of a region must be of one world, even if each tile is valid by itself.
TEST_F(HostileServerTest, TilesOfAnotherWorldAreRefused) {
  const auto client = Connect();
  int tiles = 0;
  server_.lies.tile = [&](v1::Tile& t) {
    if (tiles++ == 0) return;
    t.set_world_id("0123456789abcdef");
    t.set_tag(wire::TileTag(t.world_id(),
                            {0, static_cast<int>(t.key().level()), t.key().x(), t.key().y()},
                            1U << v1::LAYER_HEIGHT, v1::PRECISION_LATTICE));
  };
  const absl::Status status =
      client->StreamTiles("alpine", {.first = {.level = 3}, .columns = 2}, {}, TakeAll);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(status), HasSubstr("invalid world id: expected 0101010101010101010101010101"
                                        "0161, got 30313233343536373839616263646566"));
}

TEST_F(HostileServerTest, AStreamThatRepeatsATileEndlesslyIsAbandoned) {
  const auto client = Connect();
  server_.faults.endless_streams = 1;
  std::atomic<bool> done = false;
  absl::Status status;
  std::thread streaming([&] {
    status = client->StreamTiles("alpine", {.first = {.level = 3}, .columns = 2}, {}, TakeAll);
    done = true;
  });
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!done && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_TRUE(done) << "the stream does not end";
  server_.faults.endless_streams = 0;
  streaming.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(TextOf(status), EndsWith("the server sent too many tiles: the stream has 2"));
}

TEST_F(HostileServerTest, AWrongCountOfHeightsIsRefused) {
  const auto client = Connect();
  server_.lies.heights = [](v1::SampleHeightsResponse& response) { response.add_heights(1); };
  const absl::Status status =
      client->SampleHeights("alpine", 1, {{.east_m = 1, .south_m = 2}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
}

// A camera that needs few tiles, around the origin.
Camera CameraAtOrigin() {
  return {.position_m = {0, 0, 1'500},
          .direction = {.east = 1, .south = 0.2, .up = -0.3},
          .viewport_height_px = 240,
          .tolerated_error_px = 2,
          .range_m = 20'000};
}

// The error with which a view ended; OK if it did not end.
absl::Status AwaitEnd(TerrainView& view) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (view.status().ok() && std::chrono::steady_clock::now() < until) {
    view.Wait(std::chrono::milliseconds(10));
    view.Update();
  }
  return view.status();
}

TEST_F(HostileServerTest, ASessionWithInvalidFactsIsAbandoned) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Lie<v1::SessionOpened>> lies = {
      {[](v1::SessionOpened& o) { o.set_levels(0xFFFF'FFFF); },
       "invalid levels: expected 1 to 21, got 4294967295"},
      {[](v1::SessionOpened& o) {
         o.set_world_id("0123456789abcdef");
         o.set_levels(0xFFFF'FFFF);
       },
       "invalid levels: expected 1 to 21, got 4294967295"},
      {[](v1::SessionOpened& o) { o.set_levels(0); }, "invalid levels: expected 1 to 21, got 0"},
      {[](v1::SessionOpened& o) { o.set_levels(11); },
       "invalid world: expected 12 levels and cells of 512 m as before, got 11 and 512 m"},
      {[](v1::SessionOpened& o) { o.set_cell_size_m(kNan); },
       "invalid cell_size_m: expected 1 to 4096, got nan"},
      {[](v1::SessionOpened& o) { o.set_cell_size_m(0); },
       "invalid cell_size_m: expected 1 to 4096, got 0"},
      {[](v1::SessionOpened& o) { o.set_radius_m(kNan); },
       "invalid radius_m: expected 1000 to 1e+08, got nan"},
      {[](v1::SessionOpened& o) { o.set_radius_m(1'000'000); },
       "invalid cell_size_m: expected 6135.92, as radius_m says, got 512"},
      {[](v1::SessionOpened& o) {
         o.set_radius_m(1'000'000);
         o.set_cell_size_m(6135.923151542565);
       },
       "invalid world: expected 12 levels and cells of 512 m as before, got 12 and 6135.92 m, a "
       "radius of 1e+06 m, not 0 m"},
      {[](v1::SessionOpened& o) { o.set_world_id(std::string(1 << 20, 'x')); },
       "invalid world id: expected 16 bytes, got 1048576"},
  };
  const auto client = Connect();
  for (const Lie<v1::SessionOpened>& lie : lies) {
    SCOPED_TRACE(lie.answer);
    server_.sessions.lie = [&](v1::SessionResponse& response) {
      if (response.has_opened()) lie.tell(*response.mutable_opened());
    };
    auto view = TerrainView::Open(*client, {.world = "alpine"});
    ASSERT_TRUE(view.ok()) << view.status();
    ASSERT_TRUE((*view)->SetCamera(CameraAtOrigin()).ok());
    const absl::Status status = AwaitEnd(**view);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_EQ(TextOf(status), "session in world 'alpine': " + lie.answer);
  }
}

void SetKey(v1::TileKey& key, int level, std::int64_t x, std::int64_t y) {
  key.set_level(static_cast<std::uint32_t>(level));
  key.set_x(x);
  key.set_y(y);
}

v1::SessionResponse Opened() {
  v1::SessionResponse response;
  response.mutable_opened()->set_world_id(std::string(15, '\x01') + 'a');
  response.mutable_opened()->set_cell_size_m(512);
  response.mutable_opened()->set_levels(12);
  return response;
}

v1::SessionResponse SentTile(int level, std::int64_t x, std::int64_t y) {
  v1::SessionResponse response;
  *response.mutable_tile() = MakeGroundTile(
      FakeServer::session_grid(), Opened().opened().world_id(), {.level = level, .x = x, .y = y});
  return response;
}

v1::SessionResponse Failed(int level, std::int64_t x, std::int64_t y) {
  v1::SessionResponse response;
  SetKey(*response.mutable_failed()->mutable_key(), level, x, y);
  response.mutable_failed()->set_retry_after_ms(0xFFFF'FFFF);
  return response;
}

v1::SessionResponse Unchanged(int level, std::int64_t x, std::int64_t y) {
  v1::SessionResponse response;
  SetKey(*response.mutable_unchanged()->mutable_key(), level, x, y);
  return response;
}

v1::SessionResponse Settled(std::uint64_t id, std::uint32_t tiles, std::uint32_t failed) {
  v1::SessionResponse response;
  response.mutable_settled()->set_view_id(id);
  response.mutable_settled()->set_tiles(tiles);
  response.mutable_settled()->set_failed(failed);
  return response;
}

// Waits for the client's first view, and returns the stream.
FakeSessions::Stream* AwaitView(FakeSessions::Stream* stream) {
  v1::SessionRequest request;
  while (stream->Read(&request) && !request.has_view()) {
  }
  return stream;
}

TEST_F(HostileServerTest, ASessionThatBreaksTheRulesIsAbandoned) {
  struct Breach {
    v1::SessionResponse said;
    std::string answer;
  };
  const std::vector<Breach> breaches = {
      {v1::SessionResponse(), "the server sent a message that this version does not know"},
      {Opened(), "the server sent 'opened' twice"},
      {SentTile(3, 1 << 20, 0),
       "the server sent tile 3/1048576/0, which was not asked for and is outside every view"},
      {Failed(5, 1 << 20, 0),
       "the server sent tile 5/1048576/0, which was not asked for and is outside every view"},
      {Unchanged(5, 0, -(1 << 20)),
       "the server sent tile 5/0/-1048576, which was not asked for and is outside every view"},
      {Failed(12, 0, 0), "invalid level: expected 0 to 11, got 12"},
      {Unchanged(0, std::numeric_limits<std::int64_t>::min(), 0),
       "invalid x: expected -1099511627776 to 1099511627775, got -9223372036854775808"},
      {Settled(1'000, 1, 0), "the server settled view 1000, which the client did not send"},
      {Settled(1, 1, 2), "invalid settled view: expected max 1 failed tiles, got 2"},
  };
  const auto client = Connect();
  for (const Breach& breach : breaches) {
    SCOPED_TRACE(breach.answer);
    const FakeSessions::Script script(server_.sessions, [&](FakeSessions::Stream* stream) {
      AwaitView(stream)->Write(breach.said);
      v1::SessionRequest request;
      while (stream->Read(&request)) {
      }
    });
    auto view = TerrainView::Open(*client, {.world = "alpine"});
    ASSERT_TRUE(view.ok()) << view.status();
    ASSERT_TRUE((*view)->SetCamera(CameraAtOrigin()).ok());
    const absl::Status status = AwaitEnd(**view);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(TextOf(status), StartsWith("session in world 'alpine': " + breach.answer));
  }
}

// Neighbouring tiles of flat ground around the origin, at the finest level.
std::vector<v1::SessionResponse> FlatTiles(int count) {
  const std::vector<std::int32_t> heights(kTileVertices * kTileVertices, 1 << 16);
  const wire::EncodedLayer layer = wire::EncodeLayer(heights, kTileVertices, kTileVertices, 0);
  v1::SessionResponse response = SentTile(11, 0, 0);
  v1::Tile& tile = *response.mutable_tile();
  tile.mutable_layers(0)->set_min(layer.min);
  tile.mutable_layers(0)->set_max(layer.max);
  tile.mutable_layers(0)->set_lattice_shift(0);
  tile.mutable_layers(0)->set_data(layer.data);
  std::vector<v1::SessionResponse> tiles;
  for (int n = 0; n < count; ++n) {
    const wire::TileKey key{.level = 11, .x = n % 128, .y = n / 128};
    SetKey(*tile.mutable_key(), key.level, key.x, key.y);
    tile.set_tag(
        wire::TileTag(tile.world_id(), key, 1U << v1::LAYER_HEIGHT, v1::PRECISION_LATTICE));
    tiles.push_back(response);
  }
  return tiles;
}

// How a server uses its credit.
enum class Flood { kWithinCredit, kBeyondCredit, kEachTwice };

class FloodTest : public HostileServerTest, public testing::WithParamInterface<Flood> {};

// A server sends endless useless tiles of the view: as fast as its credit allows, faster, or each
// tile twice. The view must stay within its memory budget and its credit. It may give up a server
// that sends more than the credit allows.
TEST_P(FloodTest, AFloodDoesNotFillTheMemory) {
  const Flood flood = GetParam();
  const auto client = Connect();
  const std::vector<v1::SessionResponse> tiles = FlatTiles(2'000);
  const std::uint64_t times = flood == Flood::kEachTwice ? 2 : 1;
  const FakeSessions::Script script(server_.sessions, [&](FakeSessions::Stream* stream) {
    v1::SessionRequest request;
    std::uint64_t credit = 0;
    bool looked = false;
    for (const v1::SessionResponse& tile : tiles) {
      while (!looked || (flood != Flood::kBeyondCredit && credit < times)) {
        if (!stream->Read(&request)) return;
        looked = looked || request.has_view();
        credit += request.credit().tiles();
      }
      for (std::uint64_t n = 0; n < times; ++n) {
        if (!stream->Write(tile)) return;
      }
      credit -= times;
    }
    while (stream->Read(&request)) {
    }
  });
  constexpr std::size_t kTile = 264'196;
  constexpr std::size_t kBudget = 64 * kTile;
  constexpr std::uint32_t kCredit = 32;
  auto view = TerrainView::Open(
      *client, {.world = "alpine", .memory_bytes = kBudget, .credit_tiles = kCredit});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAtOrigin()).ok());
  std::size_t most = 0;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  const auto received = [&] { return (*view)->Statistics().tiles_received; };
  while (received() < times * tiles.size() && (*view)->status().ok() &&
         std::chrono::steady_clock::now() < until) {
    (*view)->Wait(std::chrono::milliseconds(1));
    most = std::max(most, (*view)->Statistics().memory_bytes);
  }
  EXPECT_GT(most, kBudget / 2);
  EXPECT_LE(most, kBudget + kCredit * kTile);
  if (flood != Flood::kBeyondCredit) {
    EXPECT_EQ(received(), times * tiles.size());
    EXPECT_TRUE((*view)->status().ok()) << (*view)->status();
  } else if (!(*view)->status().ok()) {
    EXPECT_THAT(TextOf((*view)->status()), EndsWith(" without credit"));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FloodTest,
                         testing::Values(Flood::kWithinCredit, Flood::kBeyondCredit,
                                         Flood::kEachTwice),
                         [](const auto& flood) -> std::string {
                           switch (flood.param) {
                             case Flood::kWithinCredit:
                               return "WithinCredit";
                             case Flood::kBeyondCredit:
                               return "BeyondCredit";
                             case Flood::kEachTwice:
                               return "EachTwice";
                           }
                           return "";
                         });

// A tile that comes again is not decoded again, and the session goes on.
TEST_F(HostileServerTest, ARepeatedTileInASessionIsIgnored) {
  const auto client = Connect();
  constexpr int kTimes = 100;
  const FakeSessions::Script script(server_.sessions, [&](FakeSessions::Stream* stream) {
    AwaitView(stream);
    for (int n = 0; n < kTimes; ++n) stream->Write(SentTile(0, 0, 0));
    v1::SessionRequest request;
    while (stream->Read(&request)) {
    }
  });
  auto view = TerrainView::Open(*client, {.world = "alpine", .credit_tiles = 2 * kTimes});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAtOrigin()).ok());
  const auto until = std::chrono::steady_clock::now() + kPatience;
  std::size_t arrived = 0;
  while ((*view)->Statistics().tiles_received < kTimes &&
         std::chrono::steady_clock::now() < until) {
    (*view)->Wait(std::chrono::milliseconds(10));
    arrived += (*view)->Update().arrived.size();
  }
  arrived += (*view)->Update().arrived.size();
  EXPECT_EQ((*view)->Statistics().tiles_received, static_cast<std::uint64_t>(kTimes));
  EXPECT_EQ(arrived, 1U);
  EXPECT_TRUE((*view)->status().ok()) << (*view)->status();
}

// A server reads nothing, but makes the client send messages: the client's queue has a limit.
TEST_F(HostileServerTest, ASessionThatIsNotReadIsReopened) {
  const auto client = Connect();
  std::atomic<int> sessions = 0;
  const FakeSessions::Script script(server_.sessions, [&](FakeSessions::Stream* stream) {
    ++sessions;
    AwaitView(stream);
    // The client must answer each: it does not have the tile. Only the client ends the call.
    for (int n = 0; stream->Write(Unchanged(11, n % 64, n / 64 % 64)); ++n) continue;
  });
  auto view = TerrainView::Open(*client, {.world = "alpine"});
  ASSERT_TRUE(view.ok()) << view.status();
  ASSERT_TRUE((*view)->SetCamera(CameraAtOrigin()).ok());
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while ((*view)->Statistics().reconnects == 0 && std::chrono::steady_clock::now() < until) {
    (*view)->Wait(std::chrono::milliseconds(10));
    (*view)->Update();
  }
  EXPECT_GE((*view)->Statistics().reconnects, 1U);
}

}  // namespace
}  // namespace thalweg
