#include "server/geographic/tiling.h"

#include <algorithm>
#include <bit>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::geographic {
namespace {

// By how much a tile's level is lower than its zoom. A tile of zoom 0 has the height of half a
// circumference (geographic) or of a whole one (Mercator), a face of level 0 that of a quarter.
int LevelsBehind(Tiling tiling, int samples) {
  const int quarters_bits = tiling == Tiling::kGeographic ? 1 : 2;
  const int fewer_bits = std::countr_zero(static_cast<unsigned>(wire::kTileCells)) -
                         std::countr_zero(static_cast<unsigned>(samples));
  return quarters_bits + fewer_bits;
}

}  // namespace

std::vector<tile::TileQuery> FaceSamples::Tiles() const {
  std::vector<tile::TileQuery> queries(points_.tiles().size(), tile_query_);
  for (std::size_t n = 0; n < queries.size(); ++n) queries[n].key = points_.tiles()[n];
  return queries;
}

absl::StatusOr<SampledLayers> FaceSamples::Sample(
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
      points_.Sample(n, planes[plane], rule_of(layer), sampled[layer]);
    }
  }
  return sampled;
}

bool HasWater(const world::World& world) { return tile::HasLayer(world, v1::LAYER_WATER_LEVEL); }

std::int64_t ColumnsAt(Tiling tiling, int zoom) {
  return std::int64_t{1} << (tiling == Tiling::kGeographic ? zoom + 1 : zoom);
}

std::int64_t RowsAt(int zoom) { return std::int64_t{1} << zoom; }

int MaxZoom(Tiling tiling, int samples, int levels) {
  return levels - 1 + LevelsBehind(tiling, samples);
}

int LevelOf(Tiling tiling, int samples, int zoom) {
  return std::max(zoom - LevelsBehind(tiling, samples), 0);
}

absl::Status CheckPlanet(const world::World& world) {
  if (world.spec().has_sphere()) return absl::OkStatus();
  return wire::Invalid("world", "a planet", absl::StrCat("the plane '", world.name(), "'"));
}

absl::Status CheckTile(Tiling tiling, const GlobeTile& tile, int max_zoom) {
  constexpr absl::StatusCode kNotFound = absl::StatusCode::kNotFound;
  if (tile.zoom < 0 || tile.zoom > max_zoom) {
    return wire::Invalid("zoom", absl::StrCat("0 to ", max_zoom), tile.zoom, kNotFound);
  }
  const std::int64_t columns = ColumnsAt(tiling, tile.zoom);
  if (tile.x < 0 || tile.x >= columns) {
    return wire::Invalid("column", absl::StrCat("0 to ", columns - 1, " at zoom ", tile.zoom),
                         tile.x, kNotFound);
  }
  const std::int64_t rows = RowsAt(tile.zoom);
  if (tile.y < 0 || tile.y >= rows) {
    return wire::Invalid("row", absl::StrCat("0 to ", rows - 1, " at zoom ", tile.zoom), tile.y,
                         kNotFound);
  }
  return absl::OkStatus();
}

}  // namespace thalweg::geographic
