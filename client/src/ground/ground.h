// Heights on tiles of mixed levels.
#pragma once

#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "proto/lod/surface.h"
#include "thalweg/tile.h"

namespace thalweg {

// A tile with its height as the first plane, or null.
using TileAt = absl::FunctionRef<std::shared_ptr<const Tile>(const wire::TileKey&)>;

// The tile of a level that a place is on; nothing where no key is valid.
std::optional<wire::TileKey> KeyAt(const lod::Grid& grid, const lod::Place& place, int level);

struct FinestTile {
  wire::TileKey key;
  std::shared_ptr<const Tile> tile;
};

// The finest loaded tile at a place whose ancestors are all loaded; null without a tile of level 0.
FinestTile FinestTileAt(const lod::Grid& grid, TileAt tile_at, const lod::Place& place);

// The height in metres, bilinear on that tile; nothing without a tile of level 0.
std::optional<double> GroundHeightAt(const lod::Grid& grid, TileAt tile_at,
                                     const lod::Place& place);

}  // namespace thalweg
