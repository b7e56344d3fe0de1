// The values of a raster, put together from its tiles.
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

// size x size values for each layer, row after row from north to south.
struct LayerGrid {
  int size = 0;
  std::map<v1::Layer, std::vector<std::int32_t>> layers;
};

// A layer's values; DATA_LOSS if the grid lacks the layer.
absl::StatusOr<std::span<const std::int32_t>> ValuesOf(const LayerGrid& grid, v1::Layer layer);

// The grid of one tile, or of two by two tiles, whose shared vertices count once: the first `size`
// vertices of each row and column. `queries` are those of the tiles. DATA_LOSS if a tile does not
// have exactly its query's layers.
absl::StatusOr<LayerGrid> MakeLayerGrid(const std::vector<tile::TileQuery>& queries,
                                        std::span<const tile::TileContents> tiles, int size);

// The grid of the squares between vertices, one fewer in a row: each has the mean of its four
// vertices, rounded to the nearest, half upwards.
LayerGrid CentresOf(const LayerGrid& vertices);

}  // namespace thalweg::raster
