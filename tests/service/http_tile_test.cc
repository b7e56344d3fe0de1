// Tiles over HTTP: they have the bytes of gRPC. Also rasters of tiles, and answers without work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/base/message_text.h"
#include "server/tile/tile_query.h"
#include "tests/field/test_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kTilePrefix[] = "/v1/worlds/test-1/tiles/1/4/-3.";

std::string Tile(const std::string& rest) { return kTilePrefix + rest; }

TEST(HttpTileTest, TilesHaveTheBytesOfGrpc) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer answer = client.Get(Tile("tlw?precision=exact"));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Header("content-type"), "application/vnd.thalweg.tile");
  PendingTile call(*server, TileRequestOf(1, 4, -3));
  ASSERT_TRUE(call.Await().ok());
  v1::Tile tile;
  ASSERT_TRUE(tile.ParseFromString(answer.body));
  EXPECT_EQ(tile.SerializeAsString(), call.tile().SerializeAsString());
}

TEST(HttpTileTest, EveryFormatIsServed) {
  WebServer server;
  HttpClient client(server.port());
  for (const char* extension : {"png", "terrarium.png", "mapbox.png", "png16", "lerc"}) {
    for (const char* size : {"256", "257", "512"}) {
      const HttpAnswer answer = client.Get(Tile(std::string(extension) + "?size=" + size));
      ASSERT_EQ(answer.status, 200) << extension << answer.body;
      if (std::string(extension) != "lerc") {
        EXPECT_THAT(answer.body, StartsWith("\x89PNG"));
      }
      EXPECT_EQ(answer.Header("content-length"), std::to_string(answer.body.size()));
      EXPECT_EQ(client.Get(Tile(std::string(extension) + "?size=" + size)).body, answer.body);
    }
  }
  EXPECT_EQ(server.rasters().stats().rendered, 15U);
  const HttpAnswer grey = client.Get(Tile("png16?layer=height"));
  EXPECT_EQ(grey.Header("thalweg-step"), "0.125");
  EXPECT_EQ(grey.Header("thalweg-offset"), "-1024");
}

// There is room for the tiles of two requests at a time; the others wait instead of failing.
TEST(HttpTileTest, AnswersHoldRoomUntilTheyAreSent) {
  TestServerOptions options;
  options.answer_bytes = std::size_t{1} << 20;
  WebServer server(std::move(options));
  const sharing::AnswerRoom& room = *server->tiles().room();
  server->device().Close();
  std::deque<HttpClient> clients;
  for (int n = 0; n < 12; ++n) {
    const std::string rest = n % 2 == 0 ? "png?size=512" : "tlw";
    clients.emplace_back(server.port())
        .Send(RequestOf("GET", absl::StrCat("/v1/worlds/test-1/tiles/1/", n, "/0.", rest)));
  }
  AwaitTrue([&room] { return room.waiting() == 10; });
  EXPECT_LE(room.held(), room.bytes() / 2);
  // Whoever goes away while it waits leaves nothing behind.
  clients.back().Reset();
  clients.pop_back();
  AwaitTrue([&room] { return room.waiting() == 9; });
  server->device().Open();
  for (HttpClient& client : clients) {
    const auto answer = client.Read();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->status, 200) << answer->body;
  }
  // The connections are still open.
  AwaitTrue([&room] { return room.held() == 0; });
}

TEST(HttpTileTest, EveryLayerOfAWorldIsDrawn) {
  TestServerOptions options;
  options.worlds = {field::WaterWorld()};
  const std::string world = options.worlds.front()->hex_id();
  WebServer server(std::move(options));
  HttpClient client(server.port());
  for (const char* layer : {"height", "flow", "sediment", "wear", "deposit", "wash-load", "uplift",
                            "water-level", "water-depth", "normal", "slope"}) {
    const HttpAnswer answer = client.Get("/v1/worlds/" + world + "/tiles/0/0/0.png?layer=" + layer);
    EXPECT_EQ(answer.status, 200) << layer << answer.body;
  }
}

// The last request is the twin: its validator is unknown, so the tile is generated.
TEST(HttpTileTest, TilesWithAKnownValidatorAreNotGenerated) {
  WebServer server;
  HttpClient client(server.port());
  for (const char* extension : {"tlw", "png", "terrarium.png", "lerc", "png16"}) {
    const HttpAnswer head = client.Ask("HEAD", Tile(extension));
    ASSERT_EQ(head.status, 200);
    // The length is unknown before the tile is made.
    EXPECT_EQ(head.Header("content-length"), "");
    const std::string etag = head.Header("etag");
    EXPECT_THAT(etag, StartsWith("\""));
    const HttpAnswer known = client.Get(Tile(extension), "If-None-Match: " + etag + "\r\n");
    EXPECT_EQ(known.status, 304);
    EXPECT_EQ(known.Header("etag"), etag);
    EXPECT_EQ(known.body, "");
  }
  EXPECT_EQ(server.blocks(), 0U);
  const HttpAnswer made = client.Get(Tile("tlw"), "If-None-Match: \"other\"\r\n");
  EXPECT_EQ(made.status, 200);
  EXPECT_GT(server.blocks(), 0U);
  EXPECT_EQ(client.Ask("HEAD", Tile("tlw")).Header("etag"), made.Header("etag"));
}

TEST(HttpTileTest, ValidatorsDifferIfBytesMayDiffer) {
  WebServer server;
  HttpClient client(server.port());
  std::vector<std::string> etags;
  for (const char* rest :
       {"tlw", "tlw?precision=exact", "tlw?layer=height,flow", "png", "png?size=257",
        "png?layer=flow", "terrarium.png", "mapbox.png", "png16", "lerc"}) {
    etags.push_back(client.Ask("HEAD", Tile(rest)).Header("etag"));
  }
  for (const char* key : {"1/4/-2", "1/5/-3", "2/4/-3"}) {
    for (const char* extension : {".png", ".tlw"}) {
      const std::string path = std::string("/v1/worlds/test-1/tiles/") + key + extension;
      etags.push_back(client.Ask("HEAD", path).Header("etag"));
    }
  }
  etags.push_back(client.Ask("HEAD", "/v1/worlds/test-1@9/tiles/1/4/-3.png").Header("etag"));
  std::sort(etags.begin(), etags.end());
  EXPECT_EQ(std::unique(etags.begin(), etags.end()), etags.end());
  // The same bytes at another address have the same ETag.
  EXPECT_EQ(client.Ask("HEAD", Tile("tlw?layer=height&precision=lattice")).Header("etag"),
            client.Ask("HEAD", Tile("tlw")).Header("etag"));
}

TEST(HttpTileTest, IdsAreImmutableAndNamesAreNot) {
  WebServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.Ask("HEAD", Tile("png")).Header("cache-control"), "public, max-age=60");
  const std::string id = field::TestWorld()->hex_id();
  EXPECT_EQ(client.Ask("HEAD", "/v1/worlds/" + id + "/tiles/1/4/-3.png").Header("cache-control"),
            "public, max-age=31536000, immutable");
}

TEST(HttpTileTest, ThePyramidConsistsOfTheTiles) {
  WebServer server;
  HttpClient client(server.port());
  const HttpAnswer json = client.Get("/v1/worlds/test-1/tilejson.json?window=2&encoding=mapbox");
  ASSERT_EQ(json.status, 200) << json.body;
  EXPECT_THAT(json.body, HasSubstr("\"tilejson\": \"3.0.0\""));
  EXPECT_THAT(json.body, HasSubstr("\"encoding\": \"mapbox\""));
  EXPECT_THAT(json.body, HasSubstr("\"minzoom\": 2"));
  EXPECT_THAT(json.body, HasSubstr("http://terrain.test/v1/worlds/"));
  // Zoom 3 is level 1; the window's corner is tile (-4, -4) there.
  EXPECT_EQ(client.Get("/v1/worlds/test-1/xyz/3/7/1.mapbox.png?window=2&registration=corner").body,
            client.Get("/v1/worlds/test-1/tiles/1/3/-3.mapbox.png").body);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/xyz/3/7/1.png?window=2&registration=corner").body,
            client.Get("/v1/worlds/test-1/tiles/1/3/-3.png").body);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/xyz/1/0/0.png?window=2").status, 404);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/xyz/3/8/0.png?window=2").status, 404);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/xyz/3/0/0.tlw?window=2").status, 404);
}

TEST(HttpTileTest, HeightsOfMapsStateTheirRegistration) {
  WebServer server;
  HttpClient client(server.port());
  const auto template_of = [&](const std::string& query) {
    v1::TileJson json;
    const HttpAnswer answer = client.Get("/v1/worlds/test-1/tilejson.json?window=2" + query);
    EXPECT_TRUE(text::FromJson(answer.body, json).ok()) << answer.body;
    return json.registration() + " " + json.tiles(0).substr(json.tiles(0).find("&y=0"));
  };
  EXPECT_EQ(template_of(""), "centre &y=0&registration=centre");
  EXPECT_EQ(template_of("&encoding=mapbox&registration=corner"), "corner &y=0&registration=corner");
  EXPECT_EQ(template_of("&encoding=satellite"), " &y=0");
  const std::string path = "/v1/worlds/test-1/xyz/3/7/1.";
  const HttpAnswer centre = client.Get(path + "terrarium.png?window=2");
  EXPECT_EQ(client.Get(path + "terrarium.png?window=2&registration=centre").body, centre.body);
  EXPECT_NE(client.Get(path + "terrarium.png?window=2&registration=corner").body, centre.body);
  for (const char* wrong :
       {"png?window=2&registration=centre", "png16?window=2&registration=centre",
        "terrarium.png?window=2&registration=center",
        "terrarium.png?window=2&registration=centre&size=257"}) {
    EXPECT_EQ(client.Get(path + wrong).status, 400) << wrong;
  }
  EXPECT_EQ(
      client.Get("/v1/worlds/test-1/tilejson.json?encoding=relief&registration=centre").status,
      400);
  EXPECT_EQ(client.Get("/v1/worlds/test-1/tiles/1/3/-3.terrarium.png?registration=corner").status,
            400);
}

// Finer zooms than MapLibre's exist, but no document offers them.
TEST(HttpTileTest, DocumentsOfferFormatsThatMapsCanDraw) {
  WebServer server;
  HttpClient client(server.port());
  ASSERT_EQ(client
                .Ask("POST", "/v1/worlds", "Content-Type: application/json\r\n",
                     R"({"name": "deep", "levels": 20, "base": {"constant": 3}, "cell_size_m": 4096,
                         "rules": [{"detail": {}}]})")
                .status,
            201);
  for (const auto& [query, maxzoom] : {std::pair("test-1/tilejson.json?window=4", 9U),
                                       std::pair("deep/tilejson.json?window=4", 23U),
                                       std::pair("deep/tilejson.json?window=16", 25U)}) {
    v1::TileJson json;
    const HttpAnswer answer = client.Get(std::string("/v1/worlds/") + query);
    ASSERT_TRUE(text::FromJson(answer.body, json).ok()) << answer.body;
    EXPECT_EQ(json.maxzoom(), maxzoom) << query;
  }
}

// The URL template of a document leads to the tiles of its window, however far away they are.
TEST(HttpTileTest, TheTemplateOfAFarWindowLeadsToItsTiles) {
  WebServer server;
  HttpClient client(server.port());
  for (const char* x : {"0", "1048576", "1e6", "1.04858e%2B06", "-123456789012.75", "1e16"}) {
    const HttpAnswer answer =
        client.Get(std::string("/v1/worlds/test-1/tilejson.json?registration=corner&window=2&x=") +
                   x + "&y=-20000000");
    v1::TileJson json;
    ASSERT_TRUE(text::FromJson(answer.body, json).ok()) << answer.body;
    const double tile_m = json.window_m() / 4;
    const auto west = static_cast<std::int64_t>(json.west_m() / tile_m);
    const auto north = static_cast<std::int64_t>(json.north_m() / tile_m);
    const std::string path = json.tiles(0).substr(json.tiles(0).find("/v1"));
    const HttpAnswer tile =
        client.Ask("HEAD", absl::StrReplaceAll(path, {{"{z}", "2"}, {"{x}", "3"}, {"{y}", "1"}}));
    EXPECT_EQ(tile.status, 200) << path;
    EXPECT_EQ(tile.Header("etag"),
              client
                  .Ask("HEAD", absl::StrCat("/v1/worlds/test-1/tiles/0/", west + 3, "/", north + 1,
                                            ".terrarium.png"))
                  .Header("etag"))
        << path;
  }
}

TEST(HttpTileTest, ManyCallersShareOneComputation) {
  WebServer server;
  server->device().Close();
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int k = 0; k < 16; ++k) {
    clients.push_back(std::make_unique<HttpClient>(server.port()));
    clients.back()->Send(RequestOf("GET", Tile("terrarium.png")));
  }
  AwaitTrue([&] { return server->tiles().stats().joined == 15; });
  server->device().Open();
  const std::string first = clients.front()->Read()->body;
  for (std::size_t k = 1; k < clients.size(); ++k) EXPECT_EQ(clients[k]->Read()->body, first);
  EXPECT_EQ(server->tiles().field_stats().blocks_computed, 2U);
  EXPECT_EQ(server.rasters().stats().rendered, 1U);
  // No caller asked for the tile itself, only for its raster.
  EXPECT_EQ(server->tiles().stats().tiles_encoded, 0U);
}

TEST(HttpTileTest, WorkOfACallerThatDisconnectsIsCancelled) {
  WebServer server;
  server->device().Close();
  PendingTile running(*server, TileRequestOf(0, 0, 0));
  server->device().AwaitRunAtGate();
  for (const char* extension : {"tlw", "png", "png?size=512"}) {
    HttpClient leaving(server.port());
    leaving.Send(RequestOf("GET", std::string("/v1/worlds/test-1/tiles/0/9/9.") + extension));
    AwaitTrue([&] { return server->tiles().stats().flights >= 2; });
    leaving.Close();
    AwaitTrue([&] { return server->tiles().stats().flights == 1; });
    HttpClient reset(server.port());
    reset.Send(RequestOf("GET", std::string("/v1/worlds/test-1/tiles/0/9/9.") + extension));
    AwaitTrue([&] { return server->tiles().stats().flights >= 2; });
    reset.Reset();
    AwaitTrue([&] { return server->tiles().stats().flights == 1; });
  }
  server->device().Open();
  EXPECT_TRUE(running.Await().ok());
  EXPECT_EQ(server->device().TimesComputed({0, 0, 9, 9}), 0);
}

TEST(HttpTileTest, ARequestTimesOut) {
  http::HttpOptions http;
  http.limits.request_timeout = std::chrono::milliseconds(100);
  http.limits.sweep = std::chrono::milliseconds(10);
  WebServer server({}, http);
  server->device().Close();
  HttpClient client(server.port());
  const HttpAnswer late = client.Get(Tile("png"));
  EXPECT_EQ(late.status, 504);
  EXPECT_EQ(late.Header("content-type"), "application/problem+json");
  AwaitTrue([&] { return server->tiles().stats().flights == 0; });
  // The connection still works.
  EXPECT_EQ(client.Get("/healthz").status, 200);
}

}  // namespace
}  // namespace thalweg::service
