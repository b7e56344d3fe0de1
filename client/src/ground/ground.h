// Heights on tiles of mixed levels.
#pragma once

#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "proto/lod/surface.h"
#include "thalweg/tile.h"

namespace thalweg {

// Returns a tile, whose first plane is its height, or null.
using TileAt = absl::FunctionRef<std::shared_ptr<const Tile>(const wire::TileKey&)>;

// Returns the tile of a level at a place; nothing if no key is valid there.
std::optional<wire::TileKey> KeyAt(const lod::Grid& grid, const lod::Place& place, int level);

struct FinestTile {
  wire::TileKey key;
  std::shared_ptr<const Tile> tile;
};

// Returns the finest loaded tile at a place with all ancestors loaded; null without a level-0 tile.
FinestTile FinestTileAt(const lod::Grid& grid, TileAt tile_at, const lod::Place& place);

// Returns the height in metres, bilinear on that tile; nothing without a tile of level 0.
std::optional<double> GroundHeightAt(const lod::Grid& grid, TileAt tile_at,
                                     const lod::Place& place);

}  // namespace thalweg
