// Planets as globes over HTTP: meshes and pictures by latitude and longitude.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"
#include "tests/geographic/decode_mesh.h"
#include "tests/http/decode.h"
#include "tests/service/expect_problem.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kMeshes[] = "/v1/worlds/test-planet/cesium/";
constexpr char kPictures[] = "/v1/worlds/test-planet/globe/";
constexpr char kMeshAccept[] = "Accept: application/vnd.quantized-mesh";

// The planet has four levels: meshes reach zoom 6, pictures zoom 4.
TestServerOptions PlanetAndPlane() {
  TestServerOptions options;
  options.worlds.push_back(field::PlanetWorld(4));
  options.worlds.push_back(field::TestWorld());
  return options;
}

class HttpGlobeTest : public testing::Test {
 protected:
  void ExpectProblem(const std::string& path, int status, const std::string& detail,
                     const std::string& headers = "") {
    service::ExpectProblem(client_.Get(path, headers), path, status, detail);
  }

  WebServer server_{PlanetAndPlane()};
  HttpClient client_{server_.port()};
};

TEST_F(HttpGlobeTest, LayerJsonDescribesTheTiles) {
  const HttpAnswer answer = client_.Get(absl::StrCat(kMeshes, "layer.json"));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.Header("content-type"), "application/json");
  for (const char* part : {"\"format\": \"quantized-mesh-1.0\"", "\"scheme\": \"tms\"",
                           "\"projection\": \"EPSG:4326\"", "\"minzoom\": 0", "\"maxzoom\": 6",
                           "\"metadataAvailability\": 10", "\"octvertexnormals\"", "\"watermask\"",
                           "\"metadata\"", "/cesium/{z}/{x}/{y}.terrain\"", "6378137"}) {
    EXPECT_THAT(answer.body, HasSubstr(part));
  }
  std::string dense = answer.body;
  std::erase_if(dense, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_THAT(dense, HasSubstr(R"("available":[[{"startX":0,"startY":0,"endX":1,"endY":0}]])"));
}

TEST_F(HttpGlobeTest, TilesAreMeshesWithTheRequestedExtensions) {
  for (const char* tile : {"0/0/0", "0/1/0", "1/3/1", "6/0/0", "6/127/63", "5/31/31"}) {
    const std::string path = absl::StrCat(kMeshes, tile, ".terrain");
    const HttpAnswer bare = client_.Get(path);
    ASSERT_EQ(bare.status, 200) << bare.body;
    EXPECT_EQ(bare.Header("content-type"), "application/vnd.quantized-mesh");
    EXPECT_EQ(bare.Header("content-encoding"), "");
    EXPECT_EQ(bare.Header("vary"), "Accept, Accept-Encoding");
    const geographic::DecodedMesh mesh = geographic::DecodeMesh(bare.body);
    EXPECT_GT(mesh.triangles.size(), 100U);
    EXPECT_TRUE(mesh.normals.empty() && mesh.water_mask.empty() && mesh.metadata.empty());
    const HttpAnswer full = client_.Get(
        path, absl::StrCat(kMeshAccept, ";extensions=octvertexnormals-watermask-metadata\r\n"));
    const geographic::DecodedMesh more = geographic::DecodeMesh(full.body);
    EXPECT_EQ(more.triangles, mesh.triangles);
    EXPECT_EQ(more.normals.size(), mesh.u.size());
    EXPECT_EQ(more.water_mask.size(), 1U);
    EXPECT_EQ(more.metadata.empty(), tile[0] != '0');
    EXPECT_EQ(client_.Get(path + "?extensions=metadata-watermask-octvertexnormals").body,
              full.body);
    EXPECT_NE(full.Header("etag"), bare.Header("etag"));
  }
}

TEST_F(HttpGlobeTest, TilesAreCompressedIfTheCallerAcceptsIt) {
  const std::string path = absl::StrCat(kMeshes, "2/3/2.terrain");
  const HttpAnswer plain = client_.Get(path);
  const HttpAnswer gzip = client_.Get(path, "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(gzip.Header("content-encoding"), "gzip");
  EXPECT_LT(gzip.body.size(), plain.body.size());
  EXPECT_EQ(http::Decode(gzip.body, http::Coding::kGzip, plain.body.size()), plain.body);
  EXPECT_NE(gzip.Header("etag"), plain.Header("etag"));
}

TEST_F(HttpGlobeTest, ValidatorsAreKnownBeforeAnythingIsGenerated) {
  for (const std::string& path :
       {absl::StrCat(kMeshes, "4/9/9.terrain"), absl::StrCat(kPictures, "satellite/3/5/1.png")}) {
    const std::string etag = client_.Ask("HEAD", path).Header("etag");
    ASSERT_THAT(etag, StartsWith("\""));
    const HttpAnswer known = client_.Get(path, absl::StrCat("If-None-Match: ", etag, "\r\n"));
    EXPECT_EQ(known.status, 304);
    EXPECT_EQ(server_.blocks(), 0U);
    EXPECT_EQ(known.Header("vary"), client_.Ask("HEAD", path).Header("vary"));
  }
  const std::string path = absl::StrCat(kMeshes, "4/9/9.terrain");
  const std::string etag = client_.Ask("HEAD", path).Header("etag");
  EXPECT_EQ(client_.Get(path).Header("etag"), etag);
  EXPECT_GT(server_.blocks(), 0U);
  const std::string immutable =
      absl::StrCat("/v1/worlds/", field::PlanetWorld(4)->hex_id(), "/cesium/4/9/9.terrain");
  EXPECT_THAT(client_.Get(immutable).Header("cache-control"), HasSubstr("immutable"));
}

TEST_F(HttpGlobeTest, TilesOffThePyramidAreNotFound) {
  for (const char* tile : {"7/0/0", "99/0/0", "0/2/0", "0/0/1", "3/-1/0", "3/16/0", "3/0/8",
                           "3/0/-1", "6/9223372036854775807/0"}) {
    ExpectProblem(absl::StrCat(kMeshes, tile, ".terrain"), 404, "expected 0 to");
  }
  for (const char* tile : {"5/0/0", "0/2/0", "4/0/16"}) {
    ExpectProblem(absl::StrCat(kPictures, "relief/", tile, ".png"), 404, "expected 0 to");
  }
  ExpectProblem(absl::StrCat(kPictures, "relief/0/1/0.png?tiling=mercator"), 404, "expected 0 to");
  ExpectProblem(absl::StrCat(kMeshes, "0/0/0.png"), 404, "invalid extension: expected terrain");
  ExpectProblem(absl::StrCat(kPictures, "snow/0/0/0.png"), 404, "invalid picture");
  ExpectProblem("/v1/worlds/nowhere/cesium/layer.json", 404, "nowhere");
  EXPECT_EQ(server_.blocks(), 0U);
}

TEST_F(HttpGlobeTest, PlanesHaveNoGlobe) {
  const std::string plane = absl::StrCat("/v1/worlds/", field::TestWorld()->name());
  for (const char* path : {"/cesium/layer.json", "/cesium/0/0/0.terrain", "/globe/relief/0/0/0.png",
                           "/globe/relief/tilejson.json"}) {
    ExpectProblem(plane + path, 400, "invalid world: expected a planet");
  }
}

TEST_F(HttpGlobeTest, ContradictoryRequestsAreRefused) {
  const std::string path = absl::StrCat(kMeshes, "0/0/0.terrain");
  ExpectProblem(path + "?extensions=watermask", 400, "invalid extensions",
                absl::StrCat(kMeshAccept, ";extensions=metadata\r\n"));
  ExpectProblem(path, 406, "Accept names neither ", "Accept: image/png\r\n");
  ExpectProblem(path + "?w=1", 400, "'w'");
  ExpectProblem(absl::StrCat(kPictures, "relief/0/0/0.png?tiling=polar"), 400, "invalid tiling");
  ExpectProblem(absl::StrCat(kMeshes, "layer.json?w=1"), 400, "'w'");
  // Unknown extensions are ignored.
  const HttpAnswer answer = client_.Get(path + "?extensions=snow-watermask");
  EXPECT_EQ(answer.body, client_.Get(path + "?extensions=watermask").body);
}

TEST_F(HttpGlobeTest, PicturesHaveTileJsonAndTiles) {
  const HttpAnswer geographic = client_.Get(absl::StrCat(kPictures, "satellite/tilejson.json"));
  EXPECT_THAT(geographic.body, HasSubstr("\"crs\": \"EPSG:4326\""));
  EXPECT_THAT(geographic.body, HasSubstr("/globe/satellite/{z}/{x}/{y}.png\""));
  EXPECT_THAT(geographic.body, HasSubstr("\"maxzoom\": 4"));
  const HttpAnswer mercator =
      client_.Get(absl::StrCat(kPictures, "relief/tilejson.json?tiling=mercator"));
  EXPECT_THAT(mercator.body, HasSubstr("{y}.png?tiling=mercator\""));
  EXPECT_THAT(mercator.body, HasSubstr("\"maxzoom\": 5"));
  std::set<std::string> validators;
  for (const char* picture : {"satellite", "relief", "cover"}) {
    for (const char* tile : {"0/0/0.png", "0/1/0.png", "4/31/15.png", "0/0/0.png?tiling=mercator",
                             "5/17/31.png?tiling=mercator"}) {
      const HttpAnswer answer = client_.Get(absl::StrCat(kPictures, picture, "/", tile));
      ASSERT_EQ(answer.status, 200) << answer.body;
      EXPECT_EQ(answer.Header("content-type"), "image/png");
      EXPECT_THAT(answer.body, StartsWith("\x89PNG"));
      validators.insert(answer.Header("etag"));
    }
  }
  EXPECT_EQ(validators.size(), 15U);
}

}  // namespace
}  // namespace thalweg::service
