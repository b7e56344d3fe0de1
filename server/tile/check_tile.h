// Checks whether bytes from outside are the tile that was asked for.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/geometry/tile_tree.h"
#include "server/cache/tile_cache.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tile {

// The properties of a tile that the choice of levels needs.
lod::TileFacts FactsOf(const v1::Tile& tile);

// Checks that bytes are the thalweg.v1.Tile of this id: its world, key and tag, made by this
// version of the generator, with exactly its layers in the order of their numbers. Returns its
// facts, or DATA_LOSS, which names the fault. Does not decode the layers' data.
absl::StatusOr<lod::TileFacts> CheckTile(const cache::TileId& id, std::string_view bytes);

}  // namespace thalweg::tile
