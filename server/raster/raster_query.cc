#include "server/raster/raster_query.h"

#include <utility>

#include "proto/wire/invalid.h"
#include "proto/wire/layer_facts.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/raster/relief.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::raster {
namespace {

// The version of the code that turns values into bytes. Raise it with every change of a picture or
// an encoding.
constexpr int kRasterVersion = 1;

absl::Status CheckLayer(const RasterQuery& query) {
  const v1::LayerFacts& facts = wire::FactsOf(query.layer);
  if (!tile::HasLayer(*query.tile_query.world, query.layer)) {
    return wire::Invalid("layer",
                         absl::StrCat("one that world '", query.tile_query.world->name(), "' has"),
                         facts.name());
  }
  const FormatFacts& format = FactsOf(query.format);
  if (!format.holds(query.layer, facts)) {
    return wire::Invalid("layer", absl::string_view(format.held.data(), format.held.size()),
                         facts.name());
  }
  return absl::OkStatus();
}

// Checks that the four tiles of a raster of 512 pixels are tiles of the world.
absl::Status CheckChildren(const RasterQuery& query) {
  for (const tile::TileQuery& child : TilesOf(query)) {
    const absl::Status status = tile::CheckKey(child.key, *query.tile_query.world);
    if (status.ok()) continue;
    return wire::Invalid(
        "size", "256 or 257",
        absl::StrCat("512, which shows the four tiles of the next level: ", status.message()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RasterQuery> ParseRasterQuery(tile::TileQuery tile_query, Format format,
                                             std::optional<v1::Layer> layer,
                                             std::optional<int> size, Registration registration) {
  const FormatFacts& facts = FactsOf(format);
  RasterQuery query{.tile_query = std::move(tile_query),
                    .format = format,
                    .layer = layer.value_or(facts.default_layer),
                    .size = size.value_or(facts.default_size),
                    .registration = registration};
  THALWEG_RETURN_IF_ERROR(CheckLayer(query));
  if (query.size != 256 && query.size != 257 && query.size != 512) {
    return wire::Invalid("size", "256, 257 or 512", query.size);
  }
  if (registration == Registration::kCentre && query.size == wire::kTileVertices) {
    return wire::Invalid("size", "256 or 512 with registration=centre", query.size);
  }
  if (query.size == 512) THALWEG_RETURN_IF_ERROR(CheckChildren(query));
  return query;
}

std::string IdentityOf(const RasterQuery& query) {
  const wire::TileKey& key = query.tile_query.key;
  return absl::StrCat("raster ", kRasterVersion, " ", query.tile_query.world->hex_id(), " ",
                      key.face, " ", key.level, " ", key.x, " ", key.y, " ",
                      static_cast<int>(query.format), " ", static_cast<int>(query.layer), " ",
                      query.size, query.registration == Registration::kCentre ? " centre" : "");
}

tile::LayerChoice SourceLayers(const RasterQuery& query) {
  if (query.format == Format::kRelief || query.format == Format::kSatellite) {
    tile::LayerChoice layers = ReliefLayers(StyleOf(query), *query.tile_query.world);
    layers.Add(v1::LAYER_NORMAL);
    return layers;
  }
  tile::LayerChoice layers = tile::LayerChoice::None();
  layers.Add(query.layer);
  return layers;
}

std::vector<tile::TileQuery> TilesOf(const RasterQuery& query) {
  tile::TileQuery one = query.tile_query;
  one.precision = v1::PRECISION_EXACT;
  one.layers = SourceLayers(query);
  if (query.size != 512) return {one};
  std::vector<tile::TileQuery> four(4, one);
  for (int k = 0; k < 4; ++k) {
    wire::TileKey& key = four[static_cast<std::size_t>(k)].key;
    ++key.level;
    key.x = 2 * key.x + k % 2;
    key.y = 2 * key.y + k / 2;
  }
  return four;
}

int GridSizeOf(const RasterQuery& query) {
  return query.registration == Registration::kCentre ? query.size + 1 : query.size;
}

double PixelMetres(const RasterQuery& query) {
  const int finer = query.size == 512 ? 1 : 0;
  return query.tile_query.world->level(query.tile_query.key.level + finer).cell_size_m;
}

}  // namespace thalweg::raster
