#include "server/raster/grid.h"

#include <algorithm>
#include <cstddef>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"

namespace thalweg::raster {
namespace {

// Copies those vertices of the tile that are in the grid.
void Place(const std::vector<std::int32_t>& values, int column, int row, int size,
           std::vector<std::int32_t>& plane) {
  const int width = std::min(wire::kTileVertices, size - column);
  const int height = std::min(wire::kTileVertices, size - row);
  for (int y = 0; y < height; ++y) {
    const auto from = values.begin() + std::ptrdiff_t{y} * wire::kTileVertices;
    std::copy(from, from + width, plane.begin() + std::ptrdiff_t{row + y} * size + column);
  }
}

}  // namespace

absl::StatusOr<std::span<const std::int32_t>> ValuesOf(const Grid& grid, v1::Layer layer) {
  const auto found = grid.layers.find(layer);
  if (found != grid.layers.end()) return found->second;
  return wire::Invalid("grid", absl::StrCat(v1::Layer_Name(layer), " among its layers"),
                       absl::StrCat(grid.layers.size(), " others"), absl::StatusCode::kDataLoss);
}

absl::StatusOr<Grid> MakeGrid(const std::vector<tile::TileQuery>& queries,
                              std::span<const tile::TileContents> tiles, int size) {
  const std::size_t side = tiles.size() == 1 ? 1 : 2;
  Grid grid{.size = size, .layers = {}};
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    THALWEG_ASSIGN_OR_RETURN(const auto planes, tiles[k].Planes(queries[k]));
    const std::vector<v1::Layer> layers = queries[k].layers.List();
    for (std::size_t n = 0; n < layers.size(); ++n) {
      std::vector<std::int32_t>& plane = grid.layers[layers[n]];
      plane.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
      Place(planes[n], static_cast<int>(k % side) * wire::kTileCells,
            static_cast<int>(k / side) * wire::kTileCells, size, plane);
    }
  }
  return grid;
}

}  // namespace thalweg::raster
