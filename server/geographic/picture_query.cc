#include "server/geographic/picture_query.h"

#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/face_samples.h"
#include "server/geographic/picture_grid.h"
#include "server/raster/relief.h"

namespace thalweg::geographic {
namespace {

// The version of the code that turns values into a picture. Raise it with every change of pictures.
constexpr int kPictureVersion = 1;

struct PictureName {
  Picture picture;
  std::string_view name;
};
constexpr PictureName kPictureNames[] = {
    {Picture::kSatellite, "satellite"}, {Picture::kRelief, "relief"}, {Picture::kCover, "cover"}};

raster::ReliefStyle StyleOf(const PictureQuery& query, const PictureGrid& grid) {
  return {.satellite = query.picture == Picture::kSatellite,
          .layer = query.picture == Picture::kRelief ? v1::LAYER_HEIGHT : v1::LAYER_COVER,
          .pixel_m = grid.pixel_m(),
          .sea_level_m = raster::SeaLevelOf(*query.tile_query.world)};
}

PictureGrid GridOf(const PictureQuery& query) {
  return {query.tiling, query.tile, query.tile_query.world->spec().sphere().radius_m()};
}

// The query for a picture's native tiles, with their layers and their level.
tile::TileQuery TileQueryOf(const PictureQuery& query, const PictureGrid& grid) {
  tile::TileQuery whole = query.tile_query;
  whole.precision = v1::PRECISION_EXACT;
  whole.layers = raster::LayersOf(StyleOf(query, grid), *whole.world);
  whole.key.level = LevelOf(query.tiling, kPicturePixels, query.tile.zoom);
  return whole;
}

absl::StatusOr<std::string> PictureBytesOf(const PictureQuery& query,
                                           std::span<const tile::TileContents> tiles) {
  const PictureGrid grid = GridOf(query);
  const FaceSamples faces(TileQueryOf(query, grid), grid.Directions());
  THALWEG_ASSIGN_OR_RETURN(const SampledLayers layers, faces.Take(tiles, sampling::RuleOf));
  return raster::PaintRelief(StyleOf(query, grid), raster::Compass(), grid.Pixels(layers));
}

}  // namespace

std::optional<Picture> PictureOf(std::string_view name) {
  for (const PictureName& known : kPictureNames) {
    if (known.name == name) return known.picture;
  }
  return std::nullopt;
}

std::string_view NameOf(Picture picture) {
  return kPictureNames[static_cast<std::size_t>(picture)].name;
}

int MaxPictureZoom(const world::World& world, Tiling tiling) {
  return MaxZoom(tiling, kPicturePixels, world.levels());
}

absl::StatusOr<PictureQuery> ParsePictureQuery(const std::shared_ptr<const world::World>& world,
                                               Picture picture, Tiling tiling,
                                               const GlobeTile& tile) {
  THALWEG_RETURN_IF_ERROR(CheckPlanet(*world));
  THALWEG_RETURN_IF_ERROR(CheckTile(tiling, tile, MaxPictureZoom(*world, tiling)));
  return PictureQuery{.tile_query = {.world = world, .key = {}, .layers = {}},
                      .picture = picture,
                      .tiling = tiling,
                      .tile = tile};
}

std::string IdentityOf(const PictureQuery& query) {
  const GlobeTile& tile = query.tile;
  return absl::StrCat("globe picture ", kPictureVersion, " ", query.tile_query.world->hex_id(), " ",
                      static_cast<int>(query.picture), " ", static_cast<int>(query.tiling), " ",
                      tile.zoom, " ", tile.x, " ", tile.y);
}

raster::Recipe RecipeOf(const PictureQuery& query) {
  return {.identity = IdentityOf(query),
          .tiles =
              [query] {
                const PictureGrid grid = GridOf(query);
                return FaceSamples(TileQueryOf(query, grid), grid.Directions()).Tiles();
              },
          .make =
              [query](std::span<const tile::TileContents> tiles) {
                return PictureBytesOf(query, tiles);
              }};
}

}  // namespace thalweg::geographic
