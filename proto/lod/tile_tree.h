// The quadtree of the tiles of all levels.
#pragma once

#include <array>

#include "proto/wire/tile_key.h"

namespace thalweg::lod {

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
