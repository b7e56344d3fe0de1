// The quadtree of the tiles of all levels.
#pragma once

#include <array>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// The unit of heights, in metres.
inline constexpr double kHeightUnitM = 1.0 / 65'536;

// What the choice of levels must know of a tile, and only the tile itself says, in height units.
struct TileFacts {
  // The largest vertical distance between the tile's surface and its parent's: thalweg.v1.Tile's
  // geometric_error.
  std::uint32_t geometric_error = 0;
  // The lowest and highest ground.
  std::int32_t min_height = 0;
  std::int32_t max_height = 0;
};

// Returns the facts of a tile, or null while they are unknown. The pointer need only be valid until
// the next call.
using FactsOf = absl::FunctionRef<const TileFacts*(const wire::TileKey&)>;

// Returns the tile of the next coarser level that covers this one; the key must not be of level 0.
wire::TileKey ParentOf(const wire::TileKey& key);

// Returns the four tiles of the next finer level that cover this one: north-west, north-east,
// south-west, south-east.
std::array<wire::TileKey, 4> ChildrenOf(const wire::TileKey& key);

// Returns the eight squares of the same level around this one, row by row from the north-west. They
// are tiles, unless they lie beyond a side of the face.
std::array<wire::TileKey, 8> SquaresAround(const wire::TileKey& key);

// Returns the four squares of the next coarser level that cover this one and all around it, row by
// row from the north-west. The key must not be of level 0.
std::array<wire::TileKey, 4> ParentSquaresAround(const wire::TileKey& key);

// Returns the tile of a coarser level (or of the same) that covers this one.
wire::TileKey AncestorOf(const wire::TileKey& key, int level);

}  // namespace thalweg::lod
