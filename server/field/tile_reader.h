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

// The block that a tile lies in; blocks have this many cells in a row: a power of two, 256 or more.
world::BlockKey BlockOf(const wire::TileKey& tile, int block_cells);

// A tile to read: its layers, and `margin` vertices around it, from 0 to the block's apron.
struct TileRead {
  std::shared_ptr<const backend::Block> block;
  wire::TileKey key;
  std::vector<backend::Layer> layers;
  int margin = 0;
  // The index of the block's window that the tile lies in.
  int window = 0;
};

// Copies tiles from their blocks, all in one transfer. Errors are the backend's.
absl::StatusOr<std::vector<TileValues>> ReadTiles(backend::Backend& backend,
                                                  std::span<const TileRead> reads);

}  // namespace thalweg::field
