// Planets as 3D Tiles over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"
#include "tests/http/decode.h"
#include "tests/service/expect_problem.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kTiles3d[] = "/v1/worlds/test-planet/3dtiles/";

// The planet has six levels: a subtree has four of them, its child subtrees two.
TestServerOptions SixLevelsAndPlane() {
  TestServerOptions options;
  options.worlds.push_back(field::PlanetWorld(6));
  options.worlds.push_back(field::TestWorld());
  return options;
}

class HttpTiles3dTest : public testing::Test {
 protected:
  HttpAnswer Get(const std::string& path, const std::string& headers = "") {
    return client_.Get(kTiles3d + path, headers);
  }

  void ExpectProblem(const std::string& path, int status, const std::string& detail) {
    service::ExpectProblem(client_.Get(path), path, status, detail);
  }

  WebServer server_{SixLevelsAndPlane()};
  HttpClient client_{server_.port()};
};

TEST_F(HttpTiles3dTest, TilesetsNameTheWorldByItsId) {
  const HttpAnswer answer = Get("tileset.json");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Header("content-type"), "application/json");
  EXPECT_THAT(answer.body, HasSubstr("\"3DTILES_bounding_volume_S2\":{\"token\":\"b\""));
  const std::string id = field::PlanetWorld(6)->hex_id();
  EXPECT_THAT(answer.body, HasSubstr(absl::StrCat("\"../../", id, "/3dtiles/5/{level}")));
  const HttpAnswer boxes = Get("boxes.json");
  EXPECT_THAT(boxes.body,
              HasSubstr(absl::StrCat("\"../../", id, "/3dtiles/5/subtrees/0/0/0.json")));
  EXPECT_THAT(boxes.body, Not(HasSubstr("S2")));
  // The server generates nothing for it.
  EXPECT_EQ(server_.blocks(), 0U);
}

TEST_F(HttpTiles3dTest, TilesAreGltfAndSubtreesAreServed) {
  for (const char* path : {"0/0/0/0.glb", "5/0/0/0.glb", "2/3/7/0.glb", "4/5/31/31.glb"}) {
    const HttpAnswer answer = Get(path);
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.Header("content-type"), "model/gltf-binary");
    EXPECT_THAT(answer.body, StartsWith("glTF"));
    EXPECT_THAT(answer.body, HasSubstr("\x89PNG"));
  }
  for (const char* path : {"0/subtrees/0/0/0", "3/subtrees/4/15/9"}) {
    const HttpAnswer subtree = Get(absl::StrCat(path, ".subtree"));
    EXPECT_THAT(subtree.body, StartsWith("subt"));
    EXPECT_EQ(subtree.Header("content-type"), "application/octet-stream");
    const HttpAnswer tileset = Get(absl::StrCat(path, ".json"));
    EXPECT_EQ(tileset.Header("content-type"), "application/json");
    EXPECT_THAT(tileset.body, StartsWith("{\"asset\":{\"version\":\"1.1\""));
    EXPECT_NE(subtree.Header("etag"), tileset.Header("etag"));
  }
}

TEST_F(HttpTiles3dTest, TilesAreCompressedIfTheCallerAcceptsIt) {
  for (const char* path : {"1/2/3/1.glb", "1/subtrees/0/0/0.subtree"}) {
    const HttpAnswer plain = Get(path);
    const HttpAnswer gzip = Get(path, "Accept-Encoding: gzip\r\n");
    EXPECT_EQ(plain.Header("vary"), "Accept-Encoding");
    EXPECT_EQ(gzip.Header("vary"), "Accept-Encoding");
    EXPECT_EQ(gzip.Header("content-encoding"), "gzip");
    EXPECT_EQ(http::Decode(gzip.body, http::Coding::kGzip, plain.body.size()), plain.body);
    EXPECT_NE(gzip.Header("etag"), plain.Header("etag"));
  }
}

TEST_F(HttpTiles3dTest, ValidatorsAreKnownBeforeAnythingIsGenerated) {
  for (const char* name : {"3/4/9/9.glb", "3/subtrees/4/9/9.subtree", "3/subtrees/4/9/9.json"}) {
    const std::string path = absl::StrCat(kTiles3d, name);
    const std::string etag = client_.Ask("HEAD", path).Header("etag");
    ASSERT_THAT(etag, StartsWith("\""));
    EXPECT_EQ(client_.Get(path, absl::StrCat("If-None-Match: ", etag, "\r\n")).status, 304);
    EXPECT_EQ(server_.blocks(), 0U);
  }
  EXPECT_EQ(Get("3/4/9/9.glb").Header("etag"),
            client_.Ask("HEAD", absl::StrCat(kTiles3d, "3/4/9/9.glb")).Header("etag"));
  EXPECT_GT(server_.blocks(), 0U);
  const std::string immutable =
      absl::StrCat("/v1/worlds/", field::PlanetWorld(6)->hex_id(), "/3dtiles/3/4/9/9.glb");
  EXPECT_THAT(client_.Get(immutable).Header("cache-control"), HasSubstr("immutable"));
}

TEST_F(HttpTiles3dTest, MissingTilesAreNotFound) {
  for (const char* path :
       {"6/0/0/0.glb", "0/6/0/0.glb", "0/0/1/0.glb", "0/3/0/8.glb", "0/3/-1/0.glb",
        "0/5/9223372036854775807/0.glb", "9/subtrees/0/0/0.subtree", "0/subtrees/8/0/0.subtree",
        "0/subtrees/4/16/0.json"}) {
    ExpectProblem(absl::StrCat(kTiles3d, path), 404, "expected 0 to");
  }
  ExpectProblem(absl::StrCat(kTiles3d, "0/subtrees/2/0/0.subtree"), 404, "multiple of 4");
  ExpectProblem(absl::StrCat(kTiles3d, "0/0/0/0.png"), 404, "expected glb");
  ExpectProblem(absl::StrCat(kTiles3d, "0/subtrees/0/0/0.bin"), 404, "expected subtree or json");
  for (const char* path : {"", "0", "0/0/0", "tileset.json/0/0/0.glb/1", "0/trees/0/0/0.subtree"}) {
    ExpectProblem(absl::StrCat(kTiles3d, path), 404, "");
  }
  ExpectProblem("/v1/worlds/nowhere/3dtiles/tileset.json", 404, "nowhere");
  EXPECT_EQ(server_.blocks(), 0U);
}

TEST_F(HttpTiles3dTest, UnknownParametersAreRefused) {
  for (const char* path :
       {"tileset.json?w=1", "boxes.json?w=1", "0/0/0/0.glb?w=1", "0/subtrees/0/0/0.json?w=1"}) {
    ExpectProblem(absl::StrCat(kTiles3d, path), 400, "'w'");
  }
}

TEST_F(HttpTiles3dTest, PlanesHaveNo3dTiles) {
  const std::string plane = absl::StrCat("/v1/worlds/", field::TestWorld()->name(), "/3dtiles/");
  for (const char* path :
       {"tileset.json", "0/0/0/0.glb", "0/subtrees/0/0/0.subtree", "0/subtrees/0/0/0.json"}) {
    ExpectProblem(plane + path, 400, "invalid world: expected a planet");
  }
}

}  // namespace
}  // namespace thalweg::service
