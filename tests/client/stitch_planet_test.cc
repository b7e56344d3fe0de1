// Borders of neighbouring drawn tiles on a planet. The lattices of neighbouring faces may be turned
// against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "client/src/contract/messages.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/geometry/drawable.h"
#include "proto/geometry/surface.h"
#include "proto/geometry/tile_tree.h"
#include "tests/proto/geometry/random_scene.h"
#include "thalweg/drawn_tile.h"

namespace thalweg {
namespace {

using PlanetHeights = std::map<wire::TileKey, std::vector<std::int32_t>>;

constexpr int kFinestLevel = 12;

sphere::Vertex VertexOf(const wire::TileKey& key, int column, int row) {
  return {key.face, key.x * kTileCells + column, key.y * kTileCells + row};
}

std::int64_t FaceCells(int level) { return std::int64_t{kTileCells} << level; }

// The height of a vertex, the same on all faces that share it. It is even, so that means are exact.
// Each level has other heights.
std::int32_t PlanetHeight(int level, const sphere::Vertex& vertex) {
  const sphere::Vertex owner = sphere::OwnerOf(vertex, FaceCells(level));
  std::uint64_t z = static_cast<std::uint64_t>(owner.x) * 0x9e3779b97f4a7c15u +
                    static_cast<std::uint64_t>(owner.y) * 0xc2b2ae3d27d4eb4fu +
                    static_cast<std::uint64_t>(8 * level + owner.face) * 0x165667b19e3779f9u;
  z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
  return static_cast<std::int32_t>(z >> 44) * 256;
}

std::size_t PlaceIn(int column, int row) {
  return static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
}

// Calls `call` once for each vertex of a tile's border.
void ForBorder(const std::function<void(int column, int row)>& call) {
  for (int at = 0; at < kTileCells; ++at) {
    call(at, 0);
    call(kTileCells, at);
    call(kTileCells - at, kTileCells);
    call(0, kTileCells - at);
  }
}

std::shared_ptr<const Tile> PlanetTile(const wire::TileKey& key) {
  auto tile = std::make_shared<Tile>();
  tile->key = ToPublic(key);
  std::vector<std::int32_t> values(kTileVertices * kTileVertices);
  ForBorder([&](int column, int row) {
    values[PlaceIn(column, row)] = PlanetHeight(key.level, VertexOf(key, column, row));
  });
  tile->planes.push_back({.layer = Layer::kHeight, .values = std::move(values)});
  return tile;
}

// The tiles of a drawable set, each with the coarser tiles beside it.
std::vector<DrawnTile> PlanetSet(const lod::Surface& planet, const lod::Drawable& drawable) {
  std::map<wire::TileKey, std::shared_ptr<const Tile>> tiles;
  for (const lod::Drawn& drawn : drawable.tiles) tiles[drawn.key] = PlanetTile(drawn.key);
  std::vector<DrawnTile> set;
  for (const lod::Drawn& drawn : drawable.tiles) {
    DrawnTile& tile = set.emplace_back();
    tile.tile = tiles.at(drawn.key);
    tile.key = tile.tile->key;
    const lod::Touching touching = planet.TouchingOf(drawn.key);
    for (std::size_t n = 0; n < touching.size(); ++n) {
      if (drawn.coarser[n]) tile.coarser[n] = tiles.at(lod::ParentOf(touching[n]));
    }
  }
  return set;
}

// How many cracks a set has: points of the sphere where tiles have different heights, and border
// vertices between two vertices of a coarser tile beside them that are not on its edge.
int CracksIn(const lod::Surface& planet, const PlanetHeights& heights) {
  std::map<sphere::Vertex, std::set<std::int32_t>> at_points;
  int cracks = 0;
  for (const auto& [key, values] : heights) {
    const std::int64_t step = std::int64_t{1} << (kFinestLevel - key.level);
    ForBorder([&, &key = key, &values = values](int column, int row) {
      const sphere::Vertex vertex = VertexOf(key, column, row);
      const sphere::Vertex owner =
          sphere::OwnerOf({vertex.face, step * vertex.x, step * vertex.y}, FaceCells(kFinestLevel));
      at_points[owner].insert(values[PlaceIn(column, row)]);
    });
    if (key.level == 0) continue;
    const lod::Touching touching = planet.TouchingOf(key);
    // The directions north, west, east and south.
    for (const std::size_t direction : {1U, 3U, 4U, 6U}) {
      if (!heights.contains(lod::ParentOf(touching[direction]))) continue;
      const bool along_row = direction == 1 || direction == 6;
      const int fixed = direction == 1 || direction == 3 ? 0 : kTileCells;
      for (int at = 1; at < kTileCells; at += 2) {
        const auto height = [&, &values = values](int along) {
          return std::int64_t{values[along_row ? PlaceIn(along, fixed) : PlaceIn(fixed, along)]};
        };
        if (2 * height(at) != height(at - 1) + height(at + 1)) ++cracks;
      }
    }
  }
  for (const auto& [vertex, values] : at_points) cracks += values.size() > 1 ? 1 : 0;
  return cracks;
}

// Calls `call` with drawable sets of random views of planets.
void ForRandomPlanets(
    const std::function<void(const lod::Surface&, const std::vector<DrawnTile>&)>& call) {
  int sets = 0;
  for (std::uint64_t seed = 0; sets < 25 && seed < 800; ++seed) {
    lod::RandomScene scene(seed, wire::Shape::kSphere);
    const lod::Drawable drawable = lod::DrawableOf(scene.Select(), [&](const wire::TileKey& key) {
      return key.level == 0 || scene.IsLoaded(key, 97);
    });
    if (drawable.tiles.size() < 20 || drawable.tiles.size() > 250) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ++sets;
    const auto planet = lod::SurfaceOf(scene.grid());
    call(*planet, PlanetSet(*planet, drawable));
  }
  EXPECT_EQ(sets, 25);
}

TEST(StitchPlanetTest, BordersAgreeInEverySet) {
  ForRandomPlanets([](const lod::Surface& planet, const std::vector<DrawnTile>& set) {
    PlanetHeights heights;
    for (const DrawnTile& drawn : set) heights[ToWire(drawn.key)] = StitchedHeights(drawn);
    EXPECT_EQ(CracksIn(planet, heights), 0);
  });
}

// The twin: without stitching, borders of different levels do not agree.
TEST(StitchPlanetTest, UnstitchedBordersDiffer) {
  int cracked = 0;
  ForRandomPlanets([&](const lod::Surface& planet, const std::vector<DrawnTile>& set) {
    PlanetHeights heights;
    for (const DrawnTile& drawn : set) heights[ToWire(drawn.key)] = drawn.tile->planes[0].values;
    cracked += CracksIn(planet, heights) > 0 ? 1 : 0;
  });
  EXPECT_GT(cracked, 10);
}

// A tile of level 2 at a side of a face, beside a tile of level 1 on the face beyond.
struct EdgeCase {
  DrawnTile fine;
  wire::TileKey coarse;
  std::size_t direction;
};

EdgeCase CaseAt(const lod::Surface& planet, int face, std::size_t direction, std::int64_t along) {
  const std::int64_t last = 3;
  const wire::TileKey key{.face = face,
                          .level = 2,
                          .x = direction == 3   ? 0
                               : direction == 4 ? last
                                                : along,
                          .y = direction == 1   ? 0
                               : direction == 6 ? last
                                                : along};
  const wire::TileKey coarse = lod::ParentOf(planet.TouchingOf(key)[direction]);
  DrawnTile fine{.key = ToPublic(key), .tile = PlanetTile(key)};
  fine.coarser[direction] = PlanetTile(coarse);
  return {fine, coarse, direction};
}

// How many vertices of the fine tile's border are not on the coarse tile's edge. The edge has the
// coarse tile's heights at its vertices, and means between them.
int OffTheEdge(const EdgeCase& edge, const std::vector<std::int32_t>& stitched) {
  const wire::TileKey key = ToWire(edge.fine.key);
  const bool along_row = edge.direction == 1 || edge.direction == 6;
  const int fixed = edge.direction == 1 || edge.direction == 3 ? 0 : kTileCells;
  const auto coarse_height = [&](int along) {
    const sphere::Vertex vertex =
        along_row ? VertexOf(key, along, fixed) : VertexOf(key, fixed, along);
    // The coarser level has only the even vertices.
    return std::int64_t{PlanetHeight(1, {vertex.face, vertex.x / 2, vertex.y / 2})};
  };
  int off = 0;
  for (int along = 0; along <= kTileCells; ++along) {
    const std::int64_t expected = along % 2 == 0
                                      ? coarse_height(along)
                                      : (coarse_height(along - 1) + coarse_height(along + 1)) / 2;
    const std::size_t at = along_row ? PlaceIn(along, fixed) : PlaceIn(fixed, along);
    off += stitched[at] == expected ? 0 : 1;
  }
  return off;
}

TEST(StitchPlanetTest, FollowsTheCoarserEdgeAcrossEverySideOfEveryFace) {
  const auto planet = lod::SurfaceOf({.levels = 3, .radius_m = 1'000'000});
  std::set<std::pair<int, int>> edges;
  std::set<int> turns;
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (const std::size_t direction : {1U, 3U, 4U, 6U}) {
      for (std::int64_t along = 0; along < 4; ++along) {
        const EdgeCase edge = CaseAt(*planet, face, direction, along);
        ASSERT_NE(edge.coarse.face, face);
        EXPECT_EQ(OffTheEdge(edge, StitchedHeights(edge.fine)), 0)
            << face << " " << direction << " " << along;
        edges.insert(std::minmax(face, edge.coarse.face));
      }
    }
    for (const sphere::Side side : sphere::kSides) turns.insert(sphere::Beyond(face, side).turns);
  }
  EXPECT_EQ(edges.size(), 12U);
  EXPECT_EQ(turns.size(), 3U);
}

// The twin: if the next face's turn is ignored, borders do not match.
TEST(StitchPlanetTest, BordersDifferIfTurnsAreIgnored) {
  const auto planet = lod::SurfaceOf({.levels = 3, .radius_m = 1'000'000});
  int off = 0;
  for (int face = 0; face < sphere::kFaces; ++face) {
    for (const sphere::Side side : sphere::kSides) {
      if (sphere::Beyond(face, side).turns == 0) continue;
      const std::size_t direction = std::array{4U, 6U, 3U, 1U}[static_cast<std::size_t>(side)];
      EdgeCase edge = CaseAt(*planet, face, direction, 1);
      // The tile that would be beside this one if lattices were not turned. It has its own heights.
      auto unturned = std::make_shared<Tile>(*edge.fine.coarser[direction]);
      wire::TileKey key = lod::ParentOf(lod::SquaresAround(ToWire(edge.fine.key))[direction]);
      unturned->key = ToPublic(key);
      edge.fine.coarser[direction] = unturned;
      if (OffTheEdge(edge, StitchedHeights(edge.fine)) > 100) ++off;
    }
  }
  EXPECT_GE(off, 12);
}

}  // namespace
}  // namespace thalweg
