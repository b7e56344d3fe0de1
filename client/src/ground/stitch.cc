// Makes borders follow coarser neighbours.
#include <algorithm>
#include <cstddef>

#include "proto/sphere/cube_faces.h"
#include "thalweg/drawn_tile.h"

namespace thalweg {
namespace {

std::int32_t ValueAt(const Tile& tile, std::int64_t x, std::int64_t y) {
  return tile.planes.front().values[static_cast<std::size_t>(y * kTileVertices + x)];
}

std::int32_t MeanDown(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>((std::int64_t{a} + b) >> 1);
}

// Returns a vertex of a tile's border in the lattice of another tile's face. The vertex lies on
// both faces; on a planet the other face may be turned.
sphere::Vertex OnFaceOf(const Tile& other, const TileKey& key, int column, int row) {
  const sphere::Vertex vertex{key.face, key.x * kTileCells + column, key.y * kTileCells + row};
  if (other.key.face == key.face) return vertex;
  // Each of the four neighbouring faces lies beyond one of this face's sides.
  const auto side = std::ranges::find_if(sphere::kSides, [&](sphere::Side beyond) {
    return sphere::Beyond(key.face, beyond).face == other.key.face;
  });
  if (side == sphere::kSides.end()) return vertex;
  return sphere::Across(vertex, *side, std::int64_t{kTileCells} << key.level);
}

// Returns the height of a coarser tile's border at a vertex of the finer level: one of the coarser
// tile's own, or half-way between two. Coordinates are those on the coarser tile's face.
std::int32_t BorderHeight(const Tile& coarse, std::int64_t x, std::int64_t y) {
  const std::int64_t local_x = (x >> 1) - coarse.key.x * kTileCells;
  const std::int64_t local_y = (y >> 1) - coarse.key.y * kTileCells;
  const std::int32_t height = ValueAt(coarse, local_x, local_y);
  if ((x & 1) != 0) return MeanDown(height, ValueAt(coarse, local_x + 1, local_y));
  if ((y & 1) != 0) return MeanDown(height, ValueAt(coarse, local_x, local_y + 1));
  return height;
}

// The vertices that a tile shares with its neighbour in a direction (-1, 0, 1).
struct VertexRange {
  int first;
  int last;
};

VertexRange Shared(int direction) {
  if (direction < 0) return {0, 0};
  if (direction > 0) return {kTileCells, kTileCells};
  return {0, kTileCells};
}

void Follow(const Tile& coarse, int east, int south, const TileKey& key,
            std::vector<std::int32_t>& heights) {
  const VertexRange columns = Shared(east);
  const VertexRange rows = Shared(south);
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      const std::size_t at =
          static_cast<std::size_t>(row) * kTileVertices + static_cast<std::size_t>(column);
      const sphere::Vertex vertex = OnFaceOf(coarse, key, column, row);
      heights[at] = BorderHeight(coarse, vertex.x, vertex.y);
    }
  }
}

}  // namespace

std::vector<std::int32_t> StitchedHeights(const DrawnTile& drawn) {
  std::vector<std::int32_t> heights = drawn.tile->planes.front().values;
  std::size_t side = 0;
  for (int south = -1; south <= 1; ++south) {
    for (int east = -1; east <= 1; ++east) {
      if (east == 0 && south == 0) continue;
      const Tile* coarse = drawn.coarser[side++].get();
      if (coarse != nullptr) Follow(*coarse, east, south, drawn.key, heights);
    }
  }
  return heights;
}

}  // namespace thalweg
