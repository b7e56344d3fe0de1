#include "server/tile/tile_encoder.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proto/wire/layer_facts.h"
#include "proto/wire/tile_codec.h"
#include "server/tile/check_tile.h"
#include "server/tile/shown_heights.h"
#include "server/tile/tile_layers.h"

namespace thalweg::tile {
namespace {

int ShiftOf(const TileQuery& query, v1::Layer layer) {
  if (query.precision != v1::PRECISION_LATTICE) return 0;
  const v1::LayerFacts& facts = wire::FactsOf(layer);
  return facts.surface() ? world::LatticeShift(query.world->level(query.key.level).cell_size_m)
                         : static_cast<int>(facts.lattice_shift());
}

}  // namespace

cache::FinishedTile EncodeTile(const TileQuery& query, const field::TileValues& values) {
  v1::Tile tile;
  *tile.mutable_key() = ToProto(query.key);
  tile.set_world_id(query.world->id());
  tile.set_generator_version(world::kGeneratorVersion);
  tile.set_geometric_error(static_cast<std::uint32_t>(values.geometric_error));
  tile.set_tag(TagOf(query));
  const std::vector<v1::Layer> layers = query.layers.List();
  const Sources sources = SourcesOf(layers);
  const ShownValues shown(query, sources, values);
  const SourcePlanes planes{sources, shown.get(), *query.world, query.key,
                            query.precision == v1::PRECISION_LATTICE};
  std::vector<std::int32_t> scratch;
  for (const v1::Layer name : layers) {
    const int shift = ShiftOf(query, name);
    wire::EncodedLayer encoded = wire::EncodeLayer(MakeLayer(name, planes, scratch),
                                                   wire::kTileVertices, wire::kTileVertices, shift);
    v1::TileLayer& layer = *tile.add_layers();
    layer.set_layer(name);
    layer.set_min(encoded.min);
    layer.set_max(encoded.max);
    layer.set_lattice_shift(static_cast<std::uint32_t>(shift));
    layer.set_data(std::move(encoded.data));
  }
  // The string gets exactly this capacity, since the cache counts capacity.
  std::string bytes;
  bytes.reserve(tile.ByteSizeLong());
  tile.AppendToString(&bytes);
  return {std::make_shared<const std::string>(std::move(bytes)), FactsOf(tile)};
}

}  // namespace thalweg::tile
