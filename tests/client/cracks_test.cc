#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "client/tools/cli/flight.h"
#include "proto/geometry/tile_tree.h"

namespace thalweg::cli {
namespace {

const lod::Surface& Ground() {
  static const auto plane = lod::SurfaceOf({.cell_size_m = 512, .levels = 12});
  return *plane;
}

const lod::Surface& Moon() {
  static const auto planet =
      lod::SurfaceOf({.cell_size_m = 10'000, .levels = 12, .radius_m = 1'737'400});
  return *planet;
}

DrawnTile Drawn(int level, std::int64_t x, std::int64_t y, int face = 0) {
  return {.key = {level, x, y, face}, .tile = {}};
}

// The four children of a tile.
std::vector<DrawnTile> ChildrenOf(const TileKey& key) {
  std::vector<DrawnTile> children;
  for (const std::int64_t n : {0, 1, 2, 3}) {
    children.push_back(Drawn(key.level + 1, 2 * key.x + n % 2, 2 * key.y + n / 2, key.face));
  }
  return children;
}

TEST(CracksTest, FindsNoCracksWhereThereAreNone) {
  std::vector<DrawnTile> parts = ChildrenOf({});
  EXPECT_TRUE(IsWithoutCracks({}, Ground()));
  EXPECT_TRUE(IsWithoutCracks(parts, Ground()));
  parts.push_back(Drawn(0, 1, 0));
  EXPECT_TRUE(IsWithoutCracks(parts, Ground()));
}

TEST(CracksTest, FindsOverlapsGapsAndStepsOfTwoLevels) {
  const std::vector<DrawnTile> parts = ChildrenOf({});
  auto overlap = parts;
  overlap.push_back(Drawn(0, 0, 0));
  EXPECT_FALSE(IsWithoutCracks(overlap, Ground()));
  auto gap = parts;
  gap.pop_back();
  EXPECT_FALSE(IsWithoutCracks(gap, Ground()));
  auto steep = gap;
  for (const DrawnTile& tile : ChildrenOf({1, 1, 1})) steep.push_back(tile);
  EXPECT_TRUE(IsWithoutCracks(steep, Ground()));
  steep.push_back(Drawn(0, 1, 1));
  EXPECT_FALSE(IsWithoutCracks(steep, Ground()));
}

TEST(CracksTest, FindsStepsOfTwoLevelsBetweenTheFacesOfAPlanet) {
  std::vector<DrawnTile> tiles;
  for (int face = 1; face < 6; ++face) tiles.push_back(Drawn(0, 0, 0, face));
  for (const DrawnTile& tile : ChildrenOf({})) tiles.push_back(tile);
  EXPECT_TRUE(IsWithoutCracks(tiles, Moon()));
  // The last child of face 0 touches two other faces, which have level 0.
  tiles.pop_back();
  for (const DrawnTile& tile : ChildrenOf({1, 1, 1})) tiles.push_back(tile);
  EXPECT_FALSE(IsWithoutCracks(tiles, Moon()));
}

}  // namespace
}  // namespace thalweg::cli
