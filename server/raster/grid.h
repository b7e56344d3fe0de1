// The values of a raster's tiles, put together.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/cache/tile_cache.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// size x size values a layer, row after row from north to south.
struct Grid {
  int size = 0;
  std::map<v1::Layer, std::vector<std::int32_t>> layers;
};

// Of one tile, or of four by two and two, whose shared vertices count once. Of each row and column
// the first `size` vertices. DATA_LOSS when the bytes are no tiles.
absl::StatusOr<Grid> DecodeGrid(const std::vector<cache::TileBytes>& tiles, int size);

}  // namespace thalweg::raster
