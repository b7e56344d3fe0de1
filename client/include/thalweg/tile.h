// SPDX-License-Identifier: Apache-2.0

// Tiles: their keys, rectangles of them, and their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "thalweg/layer.h"

namespace thalweg {

// Cells, and vertices, on a side of a tile. Neighbours share their edge vertices, bit for bit.
inline constexpr int kTileCells = 256;
inline constexpr int kTileVertices = kTileCells + 1;

// Max tiles in a stream.
inline constexpr std::int64_t kMaxStreamTiles = 65'536;

// Names a tile of a level. It begins at vertex (256 x, 256 y); x grows to the east, y to the south.
struct TileKey {
  int level = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  // The face of the surface: 0 to 5 on a planet, where a face has 2^level x 2^level tiles; a plane
  // has only face 0.
  int face = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 takes the comparison with 0 for.
  friend auto operator<=>(const TileKey&, const TileKey&) = default;
};

// A rectangle of tiles of one level. `first` is its north-west tile.
struct TileRectangle {
  TileKey first = {};
  // 1 or more each; together at most kMaxStreamTiles tiles.
  std::int64_t columns = 1;
  std::int64_t rows = 1;
};

// Which layers a tile has, and how it is computed and rounded.
struct TileOptions {
  std::vector<Layer> layers = {Layer::kHeight};
  Precision precision = Precision::kLattice;
  Priority priority = Priority::kInteractive;
};

// One layer of a tile, decoded.
struct Plane {
  Layer layer = Layer::kHeight;
  // 257 x 257 values, rows from north to south, each from west to east, in the layer's unit.
  std::vector<std::int32_t> values;
  // The smallest and the largest value.
  std::int32_t min = 0;
  std::int32_t max = 0;
};

// A tile, decoded.
struct Tile {
  TileKey key;
  // 32 lower-case hexadecimal digits.
  std::string world_id;
  std::uint32_t generator_version = 0;
  // In the order of the request.
  std::vector<Plane> planes;
  // The largest vertical distance between this tile's surface and its parent's, in 1/65,536 m.
  std::uint32_t geometric_error_q16 = 0;
  // The size of its message.
  std::size_t wire_bytes = 0;
};

}  // namespace thalweg
