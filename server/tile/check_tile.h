// Whether bytes that come from outside are the tile that was asked for.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "server/cache/tile_id.h"

namespace thalweg::tile {

// OK if the bytes are a thalweg.v1.Tile of this id: its world, key and tag, made by this version of
// the generator, with exactly its layers in the order of their numbers. Else DATA_LOSS, which names
// what is wrong. The layers' data is not decoded.
absl::Status CheckTile(const cache::TileId& id, std::string_view bytes);

}  // namespace thalweg::tile
