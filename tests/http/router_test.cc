#include "server/http/router.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "server/http/handlers.h"

namespace thalweg::http {
namespace {

using Handler = void (*)(const Request& request);

absl::StatusOr<Match> RoutesOf(const std::string& text) {
  const auto target = ParseTarget(text);
  if (!target.ok()) return target.status();
  return http::RoutesOf(*target);
}

// The values in a path, of which the handler must be this one.
PathValues ValuesOf(const std::string& text, Handler handler) {
  const auto match = RoutesOf(text);
  EXPECT_TRUE(match.ok()) << text << ": " << match.status();
  if (!match.ok()) return {};
  EXPECT_EQ(match->routes.front().handle, handler) << text;
  return match->values;
}

TEST(RouterTest, FindsItsPaths) {
  ValuesOf("/", HandleIndex);
  ValuesOf("/healthz", HandleHealth);
  ValuesOf("/readyz", HandleReady);
  ValuesOf("/metrics", HandleMetrics);
  ValuesOf("/v1/worlds", HandleGetWorlds);
  EXPECT_EQ(ValuesOf("/assets/style.css", HandleAsset).file, "style.css");
  for (const std::string path : {"", "/", "/cesium", "/cesium/", "/cesium/tiles.html"}) {
    EXPECT_EQ(ValuesOf("/examples" + path, HandleExample).file, path);
  }
  EXPECT_EQ(ValuesOf("/v1/worlds/alpine%407", HandleGetWorld).world, "alpine@7");
  EXPECT_EQ(ValuesOf("/v1/worlds/a/heights", HandleHeights).world, "a");
  EXPECT_EQ(ValuesOf("/v1/worlds/a/tilejson.json", HandleTileJson).world, "a");
  EXPECT_EQ(ValuesOf("/v1/worlds/a/cesium/layer.json", HandleLayerJson).world, "a");
  const auto mesh = ValuesOf("/v1/worlds/a/cesium/3/5/6.terrain", HandleGetMesh);
  EXPECT_EQ(mesh.world, "a");
  EXPECT_EQ(mesh.tile, (wire::TileKey{0, 3, 5, 6}));
  const auto json = ValuesOf("/v1/worlds/a/globe/cover/tilejson.json", HandlePictureJson);
  EXPECT_EQ(json.picture, geographic::Picture::kCover);
  const auto picture = ValuesOf("/v1/worlds/a/globe/relief/3/5/6.png", HandleGetPicture);
  EXPECT_EQ(picture.picture, geographic::Picture::kRelief);
  EXPECT_EQ(picture.tile, (wire::TileKey{0, 3, 5, 6}));
  EXPECT_EQ(ValuesOf("/v1/worlds/a/3dtiles/tileset.json", HandleTileset).world, "a");
  EXPECT_EQ(ValuesOf("/v1/worlds/a/3dtiles/boxes.json", HandleBoxes).world, "a");
  const auto content = ValuesOf("/v1/worlds/a/3dtiles/4/3/5/6.glb", HandleGetContent);
  EXPECT_EQ(content.tile, (wire::TileKey{4, 3, 5, 6}));
  for (const std::string extension : {"subtree", "json"}) {
    const auto subtree =
        ValuesOf("/v1/worlds/a/3dtiles/4/subtrees/3/5/6." + extension, HandleGetSubtree);
    EXPECT_EQ(subtree.tile, (wire::TileKey{4, 3, 5, 6}));
    EXPECT_EQ(subtree.extension, extension);
  }
}

// Of several faults in a path, the error names one by a fixed order.
TEST(RouterTest, SaysWhatIsWrongWithAPath) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"globe/moonlight/0/0/0", "invalid picture: expected satellite, relief or cover"},
      {"globe/moonlight/layer.json", "invalid picture: expected satellite, relief or cover"},
      {"globe/relief/0/0/0", "unknown path"},
      {"globe/relief/0/x/0.jpg", "invalid tile: LEVEL/COLUMN/ROW are not decimal numbers"},
      {"globe/relief/0/0/0.jpg", "invalid extension: expected png, got 'jpg'"},
      {"3dtiles/6/0/x/0.glb", "invalid tile: LEVEL/COLUMN/ROW are not decimal numbers"},
      {"3dtiles/6/0/0/0.gltf", "invalid face: expected 0 to 5, got '6'"},
      {"3dtiles//0/0/0.glb", "invalid face: expected 0 to 5, got ''"},
      {"3dtiles/5/0/0/0.gltf", "invalid extension: expected glb, got 'gltf'"},
      {"3dtiles/5/subtrees/0/0/0.glb", "invalid extension: expected subtree or json, got 'glb'"},
      {"3dtiles/6/trees/0/0/0.json", "unknown path"},
  };
  for (const auto& [path, why] : kFaults) {
    const auto match = RoutesOf(absl::StrCat("/v1/worlds/a/", path));
    EXPECT_TRUE(absl::StartsWith(match.status().message(), why)) << path << match.status();
  }
}

TEST(RouterTest, OnlyThreePathsAllowMoreThanReading) {
  const auto find = [](const std::string& path, Verb verb) { return RoutesOf(path)->Find(verb); };
  const Route* const create = find("/v1/worlds", Verb::kPost);
  ASSERT_NE(create, nullptr);
  EXPECT_EQ(create->handle, Handler{HandleCreateWorld});
  EXPECT_TRUE(create->changes());
  const Route* const remove = find("/v1/worlds/a", Verb::kDelete);
  ASSERT_NE(remove, nullptr);
  EXPECT_EQ(remove->handle, Handler{HandleDeleteWorld});
  EXPECT_TRUE(remove->changes());
  EXPECT_EQ(find("/v1/worlds/a/heights", Verb::kRead), nullptr);
  const Route* const heights = find("/v1/worlds/a/heights", Verb::kPost);
  ASSERT_NE(heights, nullptr);
  EXPECT_FALSE(heights->changes());
  for (const char* const path : {"/", "/metrics", "/v1/worlds/a/tiles/0/0/0.png"}) {
    EXPECT_NE(find(path, Verb::kRead), nullptr) << path;
    EXPECT_EQ(find(path, Verb::kPost), nullptr) << path;
    EXPECT_EQ(find(path, Verb::kDelete), nullptr) << path;
  }
}

TEST(RouterTest, RecognisesPathsAboutTheServer) {
  for (const char* const text : {"/healthz", "/readyz", "/metrics", "/maps/healthz", "/metrics?t=1",
                                 "http://a.example/readyz"}) {
    EXPECT_TRUE(AsksAboutServer(text)) << text;
  }
  for (const char* const text :
       {"", "/", "/v1/worlds", "/healthz/", "/v1/worlds?healthz=/healthz"}) {
    EXPECT_FALSE(AsksAboutServer(text)) << text;
  }
}

// Every key has an address that leads back to the key.
TEST(RouterTest, EveryTileHasAPathThatLeadsBack) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 10'000; ++n) {
    const wire::TileKey key{.face = 0,
                            .level = static_cast<int>(random() % 21),
                            .x = static_cast<std::int64_t>(random()) >> (random() % 64),
                            .y = static_cast<std::int64_t>(random()) >> (random() % 64)};
    const bool xyz = random() % 2 == 0;
    const PathValues values =
        ValuesOf(absl::StrCat("/v1/worlds/w/", xyz ? "xyz" : "tiles", "/", key.level, "/", key.x,
                              "/", key.y, ".terrarium.png"),
                 xyz ? HandleGetMapTile : HandleGetTile);
    EXPECT_EQ(values.tile, key);
    EXPECT_EQ(values.extension, "terrarium.png");
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
    EXPECT_EQ(RoutesOf(path).status().code(), absl::StatusCode::kNotFound) << path;
  }
}

}  // namespace
}  // namespace thalweg::http
