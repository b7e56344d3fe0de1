// The cells that 3D Tiles divide a planet into: those of S2 (Google, s2geometry.io, "S2 Cells"),
// which the tiles of a planet's faces are.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"

namespace thalweg::tiles3d {

// x and y are S2's i and j, which implicit tiling names cells by: on every face the extension
// 3DTILES_bounding_volume_S2 makes the Hilbert curve of them, with the two swapped on odd faces, as
// S2 does. y grows to the north of face 0, other than a tile's row.
struct Cell {
  int face = 0;
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// The cell as a tile.
wire::TileKey TileOf(const Cell& cell);

// A cell `levels` levels below this one, by its column and row there.
Cell Below(const Cell& cell, int levels, std::int64_t columns, std::int64_t rows);

// S2's token of a whole face.
std::string TokenOf(int face);

// NOT_FOUND, naming the range, unless the planet has the cell.
absl::Status CheckCell(const Cell& cell, const world::World& world);

}  // namespace thalweg::tiles3d
