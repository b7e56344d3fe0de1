#include "server/tile/tile_encoder.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "proto/wire/tile_codec.h"

namespace thalweg::tile {
namespace {

// Height alone is rounded, and only for drawing.
int ShiftOf(const TileQuery& query, v1::Layer layer) {
  if (query.precision != v1::PRECISION_LATTICE || layer != v1::LAYER_HEIGHT) return 0;
  return world::LatticeShift(query.world->level(query.key.level).cell_size_m);
}

}  // namespace

std::string EncodeTile(const TileQuery& query, const field::TileValues& values) {
  v1::Tile tile;
  *tile.mutable_key() = ToProto(query.key);
  tile.set_world_id(query.world->id());
  tile.set_generator_version(world::kGeneratorVersion);
  tile.set_geometric_error(static_cast<std::uint32_t>(values.geometric_error));
  const std::vector<v1::Layer> layers = query.layers.List();
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const int shift = ShiftOf(query, layers[k]);
    wire::EncodedLayer encoded =
        wire::EncodeLayer(values.planes.at(k), wire::kTileVertices, wire::kTileVertices, shift);
    v1::TileLayer& layer = *tile.add_layers();
    layer.set_layer(layers[k]);
    layer.set_min(encoded.min);
    layer.set_max(encoded.max);
    layer.set_lattice_shift(static_cast<std::uint32_t>(shift));
    layer.set_data(std::move(encoded.data));
  }
  // Into a string of exactly the size, since the cache counts capacity.
  std::string bytes;
  bytes.reserve(tile.ByteSizeLong());
  tile.AppendToString(&bytes);
  return bytes;
}

}  // namespace thalweg::tile
