// The cells that 3D Tiles divide a planet into: those of S2 (Google, s2geometry.io, "S2 Cells").
// They equal the tiles of a planet's faces.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/wire/tile_key.h"
#include "server/world/world.h"

namespace thalweg::tiles3d {

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

}  // namespace thalweg::tiles3d
