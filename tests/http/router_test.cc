#include "server/http/router.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "absl/strings/str_cat.h"

namespace thalweg::http {
namespace {

absl::StatusOr<Route> RouteOf(const std::string& text) {
  const auto target = ParseTarget(text);
  if (!target.ok()) return target.status();
  return http::RouteOf(*target);
}

TEST(RouterTest, KnowsItsPaths) {
  EXPECT_TRUE(std::holds_alternative<IndexRoute>(*RouteOf("/")));
  EXPECT_TRUE(std::holds_alternative<HealthRoute>(*RouteOf("/healthz")));
  EXPECT_TRUE(std::holds_alternative<ReadyRoute>(*RouteOf("/readyz")));
  EXPECT_TRUE(std::holds_alternative<MetricsRoute>(*RouteOf("/metrics")));
  EXPECT_TRUE(std::holds_alternative<WorldsRoute>(*RouteOf("/v1/worlds")));
  EXPECT_EQ(std::get<AssetRoute>(*RouteOf("/assets/style.css")).name, "style.css");
  for (const std::string path : {"", "/", "/cesium", "/cesium/", "/cesium/tiles.html"}) {
    EXPECT_EQ(std::get<ExampleRoute>(*RouteOf("/examples" + path)).path, path);
  }
  EXPECT_EQ(std::get<WorldRoute>(*RouteOf("/v1/worlds/alpine%407")).world, "alpine@7");
  EXPECT_EQ(std::get<TileJsonRoute>(*RouteOf("/v1/worlds/a/tilejson.json")).world, "a");
  EXPECT_EQ(std::get<LayerJsonRoute>(*RouteOf("/v1/worlds/a/cesium/layer.json")).world, "a");
  const auto mesh = std::get<MeshRoute>(*RouteOf("/v1/worlds/a/cesium/3/5/6.terrain"));
  EXPECT_EQ(mesh.world, "a");
  EXPECT_EQ(mesh.tile, (geographic::GlobeTile{3, 5, 6}));
  const auto json = std::get<PictureJsonRoute>(*RouteOf("/v1/worlds/a/globe/cover/tilejson.json"));
  EXPECT_EQ(json.picture, geographic::Picture::kCover);
  const auto picture = std::get<PictureRoute>(*RouteOf("/v1/worlds/a/globe/relief/3/5/6.png"));
  EXPECT_EQ(picture.picture, geographic::Picture::kRelief);
  EXPECT_EQ(picture.tile, (geographic::GlobeTile{3, 5, 6}));
  EXPECT_EQ(std::get<TilesetRoute>(*RouteOf("/v1/worlds/a/3dtiles/tileset.json")).world, "a");
  EXPECT_TRUE(std::get<TilesetRoute>(*RouteOf("/v1/worlds/a/3dtiles/boxes.json")).boxes);
  const auto content = std::get<ContentRoute>(*RouteOf("/v1/worlds/a/3dtiles/4/3/5/6.glb"));
  EXPECT_EQ(content.cell, (tiles3d::Cell{4, 3, 5, 6}));
  const auto subtree =
      std::get<SubtreeRoute>(*RouteOf("/v1/worlds/a/3dtiles/4/subtrees/3/5/6.subtree"));
  EXPECT_EQ(subtree.root, (tiles3d::Cell{4, 3, 5, 6}));
  EXPECT_EQ(subtree.extension, "subtree");
}

// Every key has an address that leads back to the key.
TEST(RouterTest, KnowsWhatAsksAboutTheServer) {
  for (const char* const text : {"/healthz", "/readyz", "/metrics", "/maps/healthz", "/metrics?t=1",
                                 "http://a.example/readyz"}) {
    EXPECT_TRUE(AsksAboutServer(text)) << text;
  }
  for (const char* const text :
       {"", "/", "/v1/worlds", "/healthz/", "/v1/worlds?healthz=/healthz"}) {
    EXPECT_FALSE(AsksAboutServer(text)) << text;
  }
}

TEST(RouterTest, EveryTileHasAnAddress) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 10'000; ++n) {
    const wire::TileKey key{.face = 0,
                            .level = static_cast<int>(random() % 21),
                            .x = static_cast<std::int64_t>(random()) >> (random() % 64),
                            .y = static_cast<std::int64_t>(random()) >> (random() % 64)};
    const bool xyz = random() % 2 == 0;
    const auto route = RouteOf(absl::StrCat("/v1/worlds/w/", xyz ? "xyz" : "tiles", "/", key.level,
                                            "/", key.x, "/", key.y, ".terrarium.png"));
    ASSERT_TRUE(route.ok()) << route.status();
    const auto& tile = std::get<TileRoute>(*route);
    EXPECT_EQ(tile.key, key);
    EXPECT_EQ(tile.extension, "terrarium.png");
    EXPECT_EQ(tile.xyz, xyz);
  }
}

TEST(RouterTest, OtherPathsAreNotFound) {
  for (const std::string path : {"/v1",
                                 "/v2/worlds",
                                 "/v1/worlds/",
                                 "/v1/worlds/a/",
                                 "/v1/worlds//tiles/0/0/0.png",
                                 "/v1/worlds/a/tiles",
                                 "/v1/worlds/a/tiles/0/0/0",
                                 "/v1/worlds/a/tiles/0/0/0.png/",
                                 "/v1/worlds/a/tiles/00/0/0.png",
                                 "/v1/worlds/a/tiles/-1/0/0.png",
                                 "/v1/worlds/a/tiles/100/0/0.png",
                                 "/v1/worlds/a/tiles/0/+1/0.png",
                                 "/v1/worlds/a/tiles/0/0/99999999999999999999.png",
                                 "/v1/worlds/a/tiles/0/0/.png",
                                 "/v1/worlds/a/tiles/0/0x1/0.png",
                                 "/v1/worlds/a/maps/0/0/0.png",
                                 "/v1/worlds/a/cesium",
                                 "/v1/worlds/a/cesium/",
                                 "/v1/worlds/a/cesium/layer.json/",
                                 "/v1/worlds/a/cesium/0/0/0.png",
                                 "/v1/worlds/a/cesium/0/0/0",
                                 "/v1/worlds/a/cesium/0/0/.terrain",
                                 "/v1/worlds/a/cesium/0/0/0/0.terrain",
                                 "/v1/worlds/a/globe/satellite",
                                 "/v1/worlds/a/globe/moonlight/0/0/0.png",
                                 "/v1/worlds/a/globe/relief/0/0/0.jpg",
                                 "/v1/worlds/a/globe/relief/0/0/x.png",
                                 "/v1/worlds/a/globe/relief/layer.json",
                                 "/v1/worlds/a/3dtiles",
                                 "/v1/worlds/a/3dtiles/tileset.json/",
                                 "/v1/worlds/a/3dtiles/x/0/0/0.glb",
                                 "/v1/worlds/a/3dtiles/0/0/0/0.gltf",
                                 "/v1/worlds/a/3dtiles/0/subtrees/0/0/0",
                                 "/v1/worlds/a/3dtiles/0/subtrees/0/0/0.glb",
                                 "/v1/worlds/a/3dtiles/0/0/0/0/0.glb",
                                 "/healthz/",
                                 "/assets",
                                 "/assets/a/b",
                                 "/index.html"}) {
    EXPECT_EQ(RouteOf(path).status().code(), absl::StatusCode::kNotFound) << path;
  }
}

}  // namespace
}  // namespace thalweg::http
