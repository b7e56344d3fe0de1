#include "server/tile/tile_contents.h"

#include <algorithm>
#include <span>
#include <string>

#include "proto/wire/invalid.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "server/tile/check_tile.h"
#include "server/tile/layers/tile_ground.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::tile {
namespace {

int ShiftOf(const TileQuery& query, v1::Layer layer) {
  if (query.precision != v1::PRECISION_LATTICE) return 0;
  const v1::LayerFacts& facts = wire::FactsOf(layer);
  return facts.surface() ? world::LatticeShift(query.world->level(query.key.level).cell_size_m)
                         : static_cast<int>(facts.lattice_shift());
}

using Planes = std::vector<std::vector<std::int32_t>>;

Planes MakePlanes(const TileQuery& query, const field::TileValues& values) {
  const std::vector<v1::Layer> layers = query.layers.List();
  const Sources sources = SourcesOf(layers);
  const ShownValues shown(*query.world, query.key.level, sources, values);
  const SourcePlanes source{sources, shown.get(), *query.world, query.key, false};
  Planes planes;
  for (const v1::Layer layer : layers) {
    std::vector<std::int32_t> scratch;
    const std::span<const std::int32_t> made = MakeLayer(layer, source, scratch);
    if (made.data() != scratch.data()) scratch.assign(made.begin(), made.end());
    planes.push_back(std::move(scratch));
  }
  return planes;
}

// Whether a tile has exactly these layers. Both are in the order of their numbers.
bool HasExactly(const v1::Tile& tile, const std::vector<v1::Layer>& layers) {
  return std::equal(
      tile.layers().begin(), tile.layers().end(), layers.begin(), layers.end(),
      [](const v1::TileLayer& has, v1::Layer wanted) { return has.layer() == wanted; });
}

absl::StatusOr<Planes> DecodePlanes(const TileQuery& query, const std::string& bytes) {
  v1::Tile tile;
  const std::vector<v1::Layer> layers = query.layers.List();
  if (!tile.ParseFromString(bytes) || !HasExactly(tile, layers)) {
    return wire::Invalid("tile", absl::StrCat("the ", layers.size(), " wanted layers"),
                         tile.layers_size(), absl::StatusCode::kDataLoss);
  }
  Planes planes;
  for (const v1::TileLayer& layer : tile.layers()) {
    THALWEG_ASSIGN_OR_RETURN(
        planes.emplace_back(),
        wire::DecodeLayer(layer.data(), wire::kTileVertices, wire::kTileVertices,
                          static_cast<int>(layer.lattice_shift())));
  }
  return planes;
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
  const ShownValues shown(*query.world, query.key.level, sources, values);
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

std::size_t MaxAnswerBytes(const TileQuery& query) {
  const std::vector<v1::Layer> layers = query.layers.List();
  return kMaxLayerBytes * std::max(layers.size(), SourcesOf(layers).layers.size());
}

void TileContents::Hold(bool wants_values, sharing::AnswerRoom::Share share) {
  if (auto* const tile = std::get_if<cache::FinishedTile>(&source_)) {
    // Bytes for a caller that wants values become as many values as were expected.
    if (!wants_values) share.HoldAnyway(tile->size());
    tile->bytes = sharing::Holding(std::move(tile->bytes), std::move(share));
  } else {
    auto& values = std::get<std::shared_ptr<const field::TileValues>>(source_);
    values = sharing::Holding(std::move(values), std::move(share));
  }
}

absl::StatusOr<std::vector<std::vector<std::int32_t>>> TileContents::Planes(
    const TileQuery& query) const {
  if (const auto* const tile = std::get_if<cache::FinishedTile>(&source_)) {
    return DecodePlanes(query, *tile->bytes);
  }
  return MakePlanes(query, *std::get<std::shared_ptr<const field::TileValues>>(source_));
}

}  // namespace thalweg::tile
