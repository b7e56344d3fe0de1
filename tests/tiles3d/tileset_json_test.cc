#include "server/tiles3d/tileset_json.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "absl/strings/str_cat.h"
#include "server/tiles3d/cell.h"
#include "tests/field/planet_world.h"
#include "tests/tiles3d/content_reader.h"

namespace thalweg::tiles3d {
namespace {

TEST(TilesetJsonTest, AnEarthSizedPlanetHasSixImplicitS2Tilesets) {
  const auto world = field::PlanetWorld(7);
  ASSERT_EQ(UsualVolumes(*world), Volumes::kS2);
  const auto json = ReadJson(TilesetJson(*world, Volumes::kS2));
  EXPECT_EQ(TextAt(json, "asset/version"), "1.1");
  EXPECT_EQ(TextAt(json, "extensionsRequired/0"), "3DTILES_bounding_volume_S2");
  EXPECT_EQ(NumberAt(json, "asset/extras/ellipsoid_m/0"), 6'378'137);
  EXPECT_EQ(TextAt(json, "schema/classes/tile/properties/minimumHeight/semantic"),
            "TILE_MINIMUM_HEIGHT");
  ASSERT_EQ(At(json, "root/children").list_value().values_size(), 6);
  for (int face = 0; face < 6; ++face) {
    const std::string of = absl::StrCat("root/children/", face);
    EXPECT_EQ(TextAt(json, of + "/boundingVolume/extensions/3DTILES_bounding_volume_S2/token"),
              TokenOf(face));
    EXPECT_EQ(TextAt(json, of + "/refine"), "REPLACE");
    EXPECT_EQ(TextAt(json, of + "/implicitTiling/subdivisionScheme"), "QUADTREE");
    EXPECT_EQ(NumberAt(json, of + "/implicitTiling/availableLevels"), 7);
    EXPECT_EQ(NumberAt(json, of + "/implicitTiling/subtreeLevels"), 4);
    EXPECT_EQ(TextAt(json, of + "/implicitTiling/subtrees/uri"),
              absl::StrCat("../../", world->hex_id(), "/3dtiles/", face,
                           "/subtrees/{level}/{x}/{y}.subtree"));
    EXPECT_EQ(TextAt(json, of + "/content/uri"),
              absl::StrCat("../../", world->hex_id(), "/3dtiles/", face, "/{level}/{x}/{y}.glb"));
    EXPECT_DOUBLE_EQ(NumberAt(json, of + "/geometricError"), GeometricErrorM(*world, 0));
  }
}

TEST(TilesetJsonTest, WithBoxesEachFaceHasItsOwnTileset) {
  const auto world = field::PlanetWorld(7);
  const auto json = ReadJson(TilesetJson(*world, Volumes::kBoxes));
  EXPECT_FALSE(json.fields().contains("extensionsRequired"));
  EXPECT_EQ(At(json, "root/children/5/boundingVolume/box").list_value().values_size(), 12);
  EXPECT_EQ(TextAt(json, "root/children/5/content/uri"),
            absl::StrCat("../../", world->hex_id(), "/3dtiles/5/subtrees/0/0/0.json"));
}

TEST(TilesetJsonTest, ExternalTilesetsContinueInOthers) {
  const auto world = field::PlanetWorld(7);
  const std::vector<std::int32_t> heights(257 * 257, 0);
  const auto uris_below = [&](const Cell& root) {
    const auto json =
        ReadJson(ExternalTilesetJson(*world, root, SubtreeHeights(*world, root, heights)));
    std::set<std::string> uris;
    const std::function<void(const google::protobuf::Struct&, double)> visit =
        [&](const google::protobuf::Struct& tile, double error_m) {
          EXPECT_EQ(At(tile, "boundingVolume/box").list_value().values_size(), 12);
          EXPECT_DOUBLE_EQ(NumberAt(tile, "geometricError"), error_m);
          EXPECT_TRUE(uris.insert(TextAt(tile, "content/uri")).second);
          if (!tile.fields().contains("children")) return;
          const google::protobuf::Value children = At(tile, "children");
          for (const auto& child : children.list_value().values()) {
            visit(child.struct_value(), error_m / 2);
          }
        };
    visit(At(json, "root").struct_value(), GeometricErrorM(*world, root.level));
    return uris;
  };
  // The tiles of four levels, and the 256 tilesets below them.
  const std::set<std::string> first = uris_below({.face = 2});
  EXPECT_EQ(first.size(), 85U + 256U);
  EXPECT_TRUE(first.contains("../../../0/0/0.glb"));
  EXPECT_TRUE(first.contains("../../../3/7/4.glb"));
  EXPECT_TRUE(first.contains("../../4/15/0.json"));
  // The world ends after three more levels.
  const std::set<std::string> last = uris_below({2, 4, 15, 0});
  EXPECT_EQ(last.size(), 21U);
  EXPECT_TRUE(last.contains("../../../6/63/3.glb"));
}

}  // namespace
}  // namespace thalweg::tiles3d
