// Planets over HTTP: six faces of tiles, and no map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/field/planet_world.h"
#include "tests/service/http_client.h"
#include "tests/service/web_server.h"

namespace thalweg::service {
namespace {

using ::testing::HasSubstr;

constexpr char kPlanetPath[] = "/v1/worlds/test-planet";

TestServerOptions WithPlanet() {
  TestServerOptions options;
  options.worlds.push_back(field::PlanetWorld(4));
  return options;
}

TEST(HttpPlanetTest, EachFaceHasItsOwnTilesAndValidators) {
  WebServer server(WithPlanet());
  HttpClient client(server.port());
  for (const char* extension : {"tlw", "png", "terrarium.png", "lerc"}) {
    std::set<std::string> validators;
    for (int face = 0; face < 6; ++face) {
      const HttpAnswer answer =
          client.Get(absl::StrCat(kPlanetPath, "/tiles/2/1/3.", extension, "?face=", face));
      ASSERT_EQ(answer.status, 200) << answer.body;
      validators.insert(std::string(answer.Header("etag")));
    }
    EXPECT_EQ(validators.size(), 6U) << extension;
    // The default is face 0.
    const std::string path = std::string(kPlanetPath) + "/tiles/2/1/3." + extension;
    EXPECT_EQ(client.Get(path).body, client.Get(path + "?face=0").body);
  }
}

TEST(HttpPlanetTest, TilesEndAtTheEdgeOfTheFace) {
  WebServer server(WithPlanet());
  HttpClient client(server.port());
  for (const char* tile : {"2/4/0.png?face=0", "2/0/-1.png?face=5", "4/0/0.tlw?face=1"}) {
    EXPECT_EQ(client.Get(std::string(kPlanetPath) + "/tiles/" + tile).status, 404) << tile;
  }
  EXPECT_EQ(client.Get(std::string(kPlanetPath) + "/tiles/2/0/0.png?face=6").status, 400);
}

TEST(HttpPlanetTest, APlanetsDocumentHasARadiusAndNoMap) {
  WebServer server(WithPlanet());
  HttpClient client(server.port());
  const HttpAnswer document = client.Get(kPlanetPath);
  EXPECT_THAT(document.body, HasSubstr("/tiles/{level}/{x}/{y}.{ext}?face={face}"));
  EXPECT_THAT(document.body, HasSubstr("\"radius_m\": 6371000"));
  for (const char* map : {"/tilejson.json", "/xyz/4/0/0.png?window=4&x=0&y=0"}) {
    const HttpAnswer answer = client.Get(std::string(kPlanetPath) + map);
    EXPECT_EQ(answer.status, 400) << map;
    EXPECT_THAT(answer.body, HasSubstr("invalid world: expected a plane"));
  }
}

}  // namespace
}  // namespace thalweg::service
