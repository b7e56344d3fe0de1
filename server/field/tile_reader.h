// Cuts a tile out of a finished block.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/block.h"

namespace thalweg::field {

// The block of this many cells (a power of two, 256 or more) that a tile lies in.
world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells);

// Copies the tile's layers from its block, and so many vertices around the tile: 0 to the block's
// apron. Errors are the backend's.
absl::StatusOr<TileValues> ReadTile(backend::Backend& backend, const backend::Block& block,
                                    const wire::TileKey& tile,
                                    const std::vector<backend::Layer>& layers, int margin = 0);

}  // namespace thalweg::field
