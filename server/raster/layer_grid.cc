#include "server/raster/layer_grid.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
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

absl::StatusOr<std::span<const std::int32_t>> ValuesOf(const LayerGrid& grid, v1::Layer layer) {
  const auto found = grid.layers.find(layer);
  if (found != grid.layers.end()) return found->second;
  return absl::DataLossError(absl::StrCat("the grid lacks the layer ", v1::Layer_Name(layer)));
}

absl::StatusOr<LayerGrid> MakeLayerGrid(const std::vector<tile::TileQuery>& queries,
                                        std::span<const tile::TileContents> tiles, int size) {
  const std::size_t side = tiles.size() == 1 ? 1 : 2;
  LayerGrid grid{.size = size, .layers = {}};
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

LayerGrid CentresOf(const LayerGrid& vertices) {
  LayerGrid centres{.size = vertices.size - 1, .layers = {}};
  const auto row = static_cast<std::size_t>(vertices.size);
  for (const auto& [layer, values] : vertices.layers) {
    std::vector<std::int32_t>& means = centres.layers[layer];
    means.reserve((row - 1) * (row - 1));
    for (std::size_t first = 0; first + row < values.size(); first += row) {
      for (std::size_t i = first; i + 1 < first + row; ++i) {
        const std::int64_t sum =
            std::int64_t{values[i]} + values[i + 1] + values[i + row] + values[i + row + 1];
        means.push_back(static_cast<std::int32_t>((sum + 2) >> 2));
      }
    }
  }
  return centres;
}

}  // namespace thalweg::raster
