#include "server/raster/grid.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"

namespace thalweg::raster {
namespace {

// Copies a tile's vertices to where they belong, as far as they lie in the grid.
void Place(const std::vector<std::int32_t>& values, int column, int row, int size,
           std::vector<std::int32_t>& plane) {
  const int width = std::min(wire::kTileVertices, size - column);
  const int height = std::min(wire::kTileVertices, size - row);
  for (int y = 0; y < height; ++y) {
    const auto from = values.begin() + std::ptrdiff_t{y} * wire::kTileVertices;
    std::copy(from, from + width, plane.begin() + std::ptrdiff_t{row + y} * size + column);
  }
}

// Tiles have their layers in the order of their numbers.
bool HasExactly(const v1::Tile& tile, const std::vector<v1::Layer>& layers) {
  return std::equal(
      tile.layers().begin(), tile.layers().end(), layers.begin(), layers.end(),
      [](const v1::TileLayer& has, v1::Layer wanted) { return has.layer() == wanted; });
}

}  // namespace

absl::StatusOr<std::span<const std::int32_t>> ValuesOf(const Grid& grid, v1::Layer layer) {
  const auto found = grid.layers.find(layer);
  if (found != grid.layers.end()) return found->second;
  return absl::DataLossError(absl::StrCat("invalid grid: expected ", v1::Layer_Name(layer),
                                          " among its layers, got ", grid.layers.size(),
                                          " others"));
}

absl::StatusOr<Grid> DecodeGrid(const std::vector<cache::TileBytes>& tiles,
                                const tile::LayerChoice& layers, int size) {
  const std::vector<v1::Layer> wanted = layers.List();
  const std::size_t side = tiles.size() == 1 ? 1 : 2;
  Grid grid{.size = size, .layers = {}};
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    v1::Tile tile;
    if (!tile.ParseFromString(*tiles[k]) || !HasExactly(tile, wanted)) {
      return absl::DataLossError(absl::StrCat(
          "invalid tile: expected a tile with ", wanted.size(), " layers that were asked for, got ",
          tile.layers_size(), " layers in ", tiles[k]->size(), " bytes"));
    }
    for (const v1::TileLayer& layer : tile.layers()) {
      THALWEG_ASSIGN_OR_RETURN(
          const std::vector<std::int32_t> values,
          wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices,
                            static_cast<int>(layer.lattice_shift())));
      std::vector<std::int32_t>& plane = grid.layers[layer.layer()];
      plane.resize(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
      Place(values, static_cast<int>(k % side) * wire::kTileCells,
            static_cast<int>(k / side) * wire::kTileCells, size, plane);
    }
  }
  return grid;
}

}  // namespace thalweg::raster
