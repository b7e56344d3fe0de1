#include "server/geographic/face_samples.h"

#include "proto/wire/status_macros.h"
#include "server/tile/tile_layers.h"

namespace thalweg::geographic {

std::vector<tile::TileQuery> FaceSamples::Tiles() const {
  std::vector<tile::TileQuery> queries(points_.tiles().size(), tile_query_);
  for (std::size_t n = 0; n < queries.size(); ++n) queries[n].key = points_.tiles()[n];
  return queries;
}

absl::StatusOr<SampledLayers> FaceSamples::Take(
    std::span<const tile::TileContents> tiles,
    absl::FunctionRef<sampling::Rule(v1::Layer)> rule_of) const {
  const std::vector<tile::TileQuery> queries = Tiles();
  const std::vector<v1::Layer> layers = tile_query_.layers.List();
  SampledLayers sampled;
  for (const v1::Layer layer : layers) sampled[layer].resize(points_.size());
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    THALWEG_ASSIGN_OR_RETURN(const auto planes, tiles[n].Planes(queries[n]));
    for (std::size_t plane = 0; plane < layers.size(); ++plane) {
      const v1::Layer layer = layers[plane];
      points_.Take(n, planes[plane], rule_of(layer), sampled[layer]);
    }
  }
  return sampled;
}

bool HasWater(const world::World& world) { return tile::HasLayer(world, v1::LAYER_WATER_LEVEL); }

}  // namespace thalweg::geographic
