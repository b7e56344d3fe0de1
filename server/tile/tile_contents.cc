#include "server/tile/tile_contents.h"

#include <algorithm>
#include <span>
#include <utility>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_codec.h"
#include "proto/wire/tile_key.h"
#include "server/tile/shown_heights.h"
#include "server/tile/tile_layers.h"

namespace thalweg::tile {
namespace {

using Planes = std::vector<std::vector<std::int32_t>>;

Planes MakePlanes(const TileQuery& query, const field::TileValues& values) {
  const std::vector<v1::Layer> layers = query.layers.List();
  const Sources sources = SourcesOf(layers);
  const ShownValues shown(query, sources, values);
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

void TileContents::Hold(AnswerRoom::Share share) {
  std::visit([&share](auto& source) { source = Holding(std::move(source), std::move(share)); },
             source_);
}

absl::StatusOr<std::vector<std::vector<std::int32_t>>> TileContents::Planes(
    const TileQuery& query) const {
  if (const auto* const bytes = std::get_if<cache::TileBytes>(&source_)) {
    return DecodePlanes(query, **bytes);
  }
  return MakePlanes(query, *std::get<0>(source_));
}

}  // namespace thalweg::tile
