// Whether bytes that come from outside are the tile that was asked for.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/lod/tile_facts.h"
#include "server/cache/tile_id.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::tile {

// What the choice of levels has to know of a tile.
lod::TileFacts FactsOf(const v1::Tile& tile);

// The facts of bytes that are a thalweg.v1.Tile of this id: its world, key and tag, made by this
// version of the generator, with exactly its layers in the order of their numbers. Else DATA_LOSS,
// which names what is wrong. The layers' data is not decoded.
absl::StatusOr<lod::TileFacts> CheckTile(const cache::TileId& id, std::string_view bytes);

}  // namespace thalweg::tile
