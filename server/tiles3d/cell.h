// The cells that 3D Tiles divide a planet into: those of S2 (Google, s2geometry.io, "S2 Cells").
// They equal the tiles of a planet's faces.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tiles3d {

// The direction of a tile's vertex; columns and rows are from 0 to 256. Tiles compute shared
// vertices alike, to the last bit, also at an edge of two faces.
sphere::Vector DirectionOf(const wire::TileKey& key, int column, int row);

// The layer that is shown as ground: the visible surface, with that of standing water.
v1::Layer SurfaceOf(const world::World& world);

// x and y are S2's i and j, by which implicit tiling names cells. On every face the extension
// 3DTILES_bounding_volume_S2 makes the Hilbert curve from them, with the two swapped on odd faces,
// as in S2. On face 0 y grows to the north, but a tile's row to the south.
struct Cell {
  int face = 0;
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// The tile of the cell.
wire::TileKey TileOf(const Cell& cell);

// The cell `levels` levels below this one, at this column and row within it.
Cell Below(const Cell& cell, int levels, std::int64_t columns, std::int64_t rows);

// The S2 token of a whole face.
std::string TokenOf(int face);

// NOT_FOUND, naming the range, if the planet does not have the cell.
absl::Status CheckCell(const Cell& cell, const world::World& world);

// In metres above the ellipsoid, skirts included.
struct HeightBounds {
  double min_m = 0;
  double max_m = 0;
};

// Bounds for any ground that the world can have.
HeightBounds WidestBounds(const world::World& world);

class SubtreeHeights {
 public:
  // heights: 257 x 257 of the root's tile, in 1/65,536 m.
  SubtreeHeights(const world::World& world, const Cell& root, std::span<const std::int32_t> heights)
      : world_(world), root_(root), heights_(heights) {}

  // The bounds of the root's cell, or of a cell up to 8 levels below: those of the root's vertices
  // in its place, widened by MarginM of the root's level, since finer levels may add ground.
  HeightBounds Of(const Cell& cell) const;

 private:
  const world::World& world_;
  const Cell root_;
  const std::span<const std::int32_t> heights_;
};

// Heights are 32-bit numbers in units of 1/65,536 m.
inline constexpr double kMaxHeightM = 32'768;

// The geometric error of a level's tiles in metres, by which clients choose levels: eight cells. It
// halves with each level. Clients refine errors of 16 pixels or more, so a cell, which is a pixel
// of a tile's picture, is drawn on at most two pixels. Meshes are closer to the ground than that:
// README.md has measurements.
double GeometricErrorM(const world::World& world, int level);

// How far the ground of finer levels may be from that of this level, in metres: two cells.
double MarginM(const world::World& world, int level);

// The depth of skirts in metres: four cells, which is one edge of a mesh's triangle. Skirts cover
// gaps between tiles of different levels.
double SkirtM(const world::World& world, int level);

}  // namespace thalweg::tiles3d
