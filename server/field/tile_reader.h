// Cuts tiles out of finished blocks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/backend/backend.h"
#include "server/field/field.h"
#include "server/world/block.h"

namespace thalweg::field {

// The block of this many cells (a power of two, 256 or more) that a tile lies in.
world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells);

// The layers to read of a tile, with `margin` vertices around it, 0 to its block's apron.
struct TileRead {
  std::shared_ptr<const backend::Block> block;
  wire::TileKey key;
  std::vector<backend::Layer> layers;
  int margin = 0;
  // Of the block's windows, the one that the tile lies in.
  int window = 0;
};

// Copies tiles from their blocks, all of them in one transfer. Errors are the backend's.
absl::StatusOr<std::vector<TileValues>> ReadTiles(backend::Backend& backend,
                                                  std::span<const TileRead> reads);

}  // namespace thalweg::field
