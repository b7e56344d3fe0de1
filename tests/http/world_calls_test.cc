#include "server/http/world_calls.h"

#include <gtest/gtest.h>

#include "tests/field/planet_world.h"
#include "tests/field/test_world.h"

namespace thalweg::http {
namespace {

TEST(WorldDocumentTest, TilesOfPlanetsHaveAFace) {
  const auto planet = field::PlanetWorld();
  const v1::WorldDocument document = DocumentOf(*planet, "http://host");
  EXPECT_EQ(document.tiles(), "http://host/v1/worlds/" + planet->hex_id() +
                                  "/tiles/{level}/{x}/{y}.{ext}?face={face}");
  EXPECT_EQ(document.tilejson(), "");
  const std::string planet_path = "http://host/v1/worlds/" + planet->hex_id();
  EXPECT_EQ(document.ground(), planet_path + "/cesium/layer.json");
  EXPECT_EQ(document.pictures(), planet_path + "/globe/{picture}/tilejson.json");
  EXPECT_EQ(document.world().radius_m(), field::kPlanetRadiusM);
}

TEST(WorldDocumentTest, TilesOfPlanesHaveNoFace) {
  const auto plane = field::TestWorld();
  const v1::WorldDocument document = DocumentOf(*plane, "http://host");
  const std::string path = "http://host/v1/worlds/" + plane->hex_id();
  EXPECT_EQ(document.tiles(), path + "/tiles/{level}/{x}/{y}.{ext}");
  EXPECT_EQ(document.tilejson(), path + "/tilejson.json");
  EXPECT_FALSE(document.world().has_radius_m());
}

}  // namespace
}  // namespace thalweg::http
