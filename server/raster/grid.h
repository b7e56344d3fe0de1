// The values of a raster's tiles, put together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "server/cache/tile_cache.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// size x size values a layer, row after row from north to south.
struct Grid {
  int size = 0;
  std::map<v1::Layer, std::vector<std::int32_t>> layers;
};

// A layer's values; DATA_LOSS if the grid has none.
absl::StatusOr<std::span<const std::int32_t>> ValuesOf(const Grid& grid, v1::Layer layer);

// Of one tile, or of four by two and two, whose shared vertices count once. Of each row and column
// the first `size` vertices. DATA_LOSS when the bytes are not tiles with exactly these layers.
absl::StatusOr<Grid> DecodeGrid(const std::vector<cache::TileBytes>& tiles,
                                const tile::LayerChoice& layers, int size);

}  // namespace thalweg::raster
