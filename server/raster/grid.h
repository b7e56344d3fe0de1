// The values of a raster's tiles, put together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tile/tile_contents.h"
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

// The grid of one tile, or of two by two whose shared vertices count once: the first `size`
// vertices of each row and column. The queries are those of the tiles. DATA_LOSS when a tile does
// not have exactly its query's layers.
absl::StatusOr<Grid> MakeGrid(const std::vector<tile::TileQuery>& queries,
                              std::span<const tile::TileContents> tiles, int size);

}  // namespace thalweg::raster
