// Turns a tile's values into the bytes that clients get.
#pragma once

#include "server/cache/finished_tile.h"
#include "server/field/field.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// The serialized thalweg.v1.Tile and its facts. The values must be those of
// SourcesOf(query.layers.List()). Equal queries and values give equal bytes.
cache::FinishedTile EncodeTile(const TileQuery& query, const field::TileValues& values);

}  // namespace thalweg::tile
