// Borders of neighbouring drawn tiles.
#include <gtest/gtest.h>

#include <map>

#include "proto/geometry/drawable.h"
#include "proto/geometry/tile_tree.h"
#include "tests/proto/geometry/random_scene.h"
#include "thalweg/drawn_tile.h"

namespace thalweg {
namespace {

// Heights on a lattice, like those that are sent, so that means are exact. Each level has others.
std::int32_t HeightAt(int level, std::int64_t x, std::int64_t y) {
  std::uint64_t z = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u +
                    static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4fu +
                    static_cast<std::uint64_t>(level) * 0x165667b19e3779f9u;
  z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  return static_cast<std::int32_t>(z >> 44) * 256;
}

std::shared_ptr<const Tile> MakeTile(const wire::TileKey& key) {
  auto tile = std::make_shared<Tile>();
  tile->key = {key.level, key.x, key.y};
  tile->planes.push_back({.layer = Layer::kHeight,
                          .values = std::vector<std::int32_t>(kTileVertices * kTileVertices)});
  for (int at = 0; at < kTileVertices; ++at) {
    for (const auto& [x, y] : {std::pair(at, 0), {at, kTileCells}, {0, at}, {kTileCells, at}}) {
      tile->planes[0].values[static_cast<std::size_t>(std::int64_t{y} * kTileVertices + x)] =
          HeightAt(key.level, key.x * kTileCells + x, key.y * kTileCells + y);
    }
  }
  return tile;
}

// The heights of a drawn set.
using Heights = std::map<wire::TileKey, std::vector<std::int32_t>>;

// Twice the height of a tile's mesh at a vertex of its border. `level` is at most one level finer.
std::int64_t TwiceAt(const Heights& heights, const wire::TileKey& key, int level, std::int64_t x,
                     std::int64_t y) {
  const int finer = level - key.level;
  const auto at = [&](std::int64_t column, std::int64_t row) {
    return std::int64_t{heights.at(key)[static_cast<std::size_t>(
        (row - key.y * kTileCells) * kTileVertices + column - key.x * kTileCells)]};
  };
  const std::int64_t step = std::int64_t{1} << finer;
  const std::int64_t west = x >> finer;
  const std::int64_t north = y >> finer;
  return at(west, north) + at((x + step - 1) >> finer, (y + step - 1) >> finer);
}

// How many border vertices have different heights in a tile and in the tiles beside it.
int Differences(const Heights& heights) {
  int differences = 0;
  for (const auto& [key, own] : heights) {
    std::size_t side = 0;
    for (const wire::TileKey& touching : lod::SquaresAround(key)) {
      const auto direction = [](std::int64_t d) {
        return d < 0 ? std::pair(0, 0) : d > 0 ? std::pair(256, 256) : std::pair(0, 256);
      };
      ++side;
      wire::TileKey other = touching;
      if (!heights.contains(other)) {
        if (key.level == 0) continue;
        other = lod::ParentOf(touching);
        if (!heights.contains(other)) continue;  // finer tiles: they are compared from their side
      }
      const auto columns = direction(touching.x - key.x);
      const auto rows = direction(touching.y - key.y);
      for (int row = rows.first; row <= rows.second; ++row) {
        for (int column = columns.first; column <= columns.second; ++column) {
          const std::int64_t x = key.x * kTileCells + column;
          const std::int64_t y = key.y * kTileCells + row;
          if (TwiceAt(heights, key, key.level, x, y) != TwiceAt(heights, other, key.level, x, y)) {
            ++differences;
          }
        }
      }
    }
  }
  return differences;
}

// Calls `call` with random drawable sets that have tiles of several levels.
void ForRandomSets(const std::function<void(const std::vector<DrawnTile>&)>& call) {
  int sets = 0;
  for (std::uint64_t seed = 0; sets < 25 && seed < 400; ++seed) {
    lod::RandomScene scene(seed);
    const lod::Drawable drawable = lod::DrawableOf(scene.Select(), [&](const wire::TileKey& key) {
      return key.level == 0 || scene.IsLoaded(key, 97);
    });
    if (drawable.tiles.size() < 20 || drawable.tiles.size() > 250) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ++sets;
    std::map<wire::TileKey, std::shared_ptr<const Tile>> tiles;
    for (const lod::Drawn& drawn : drawable.tiles) tiles[drawn.key] = MakeTile(drawn.key);
    std::vector<DrawnTile> set;
    for (const lod::Drawn& drawn : drawable.tiles) {
      DrawnTile& tile = set.emplace_back();
      tile.tile = tiles.at(drawn.key);
      tile.key = tile.tile->key;
      const auto touching = lod::SquaresAround(drawn.key);
      for (std::size_t n = 0; n < 8; ++n) {
        if (drawn.coarser[n]) tile.coarser[n] = tiles.at(lod::ParentOf(touching[n]));
      }
    }
    call(set);
  }
  EXPECT_EQ(sets, 25);
}

TEST(StitchTest, BordersAgreeInEverySet) {
  ForRandomSets([](const std::vector<DrawnTile>& set) {
    Heights heights;
    for (const DrawnTile& drawn : set) {
      heights[{0, drawn.key.level, drawn.key.x, drawn.key.y}] = StitchedHeights(drawn);
    }
    EXPECT_EQ(Differences(heights), 0);
  });
}

// The twin: without stitching, borders of different levels do not agree.
TEST(StitchTest, UnstitchedBordersDiffer) {
  int cracked = 0;
  ForRandomSets([&](const std::vector<DrawnTile>& set) {
    Heights heights;
    for (const DrawnTile& drawn : set) {
      heights[{0, drawn.key.level, drawn.key.x, drawn.key.y}] = drawn.tile->planes[0].values;
    }
    cracked += Differences(heights) > 0 ? 1 : 0;
  });
  EXPECT_GT(cracked, 10);
}

TEST(StitchTest, DoesNotChangeTheInside) {
  DrawnTile drawn{.key = {1, 0, 0}, .tile = MakeTile({.level = 1})};
  drawn.coarser[static_cast<std::size_t>(Side::kNorth)] = MakeTile({.level = 0, .y = -1});
  const auto& before = drawn.tile->planes[0].values;
  const std::vector<std::int32_t> after = StitchedHeights(drawn);
  EXPECT_TRUE(
      std::equal(before.begin() + kTileVertices, before.end(), after.begin() + kTileVertices));
  EXPECT_NE(before[1], after[1]);
  EXPECT_EQ(after[2], HeightAt(0, 1, 0));
  EXPECT_EQ(after[3], (HeightAt(0, 1, 0) + HeightAt(0, 2, 0)) / 2);
}

}  // namespace
}  // namespace thalweg
