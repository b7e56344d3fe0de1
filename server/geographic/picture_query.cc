#include "server/geographic/picture_query.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/status_macros.h"
#include "server/geographic/ellipsoid.h"
#include "server/raster/layer_grid.h"
#include "server/raster/relief.h"
#include "server/tile/layers/tile_ground.h"

namespace thalweg::geographic {
namespace {

// The places of the pixels of a planet's picture, and the slopes there. The middles of
// kPicturePixels x kPicturePixels pixels, from the north-west, and of one more around them on each
// side.
class PictureGrid {
 public:
  static constexpr int kSide = kPicturePixels + 2;

  // Rows of the tile count from the north.
  PictureGrid(Tiling tiling, const GlobeTile& tile, double radius_m);

  // The distance of pixels in metres, along a meridian at the equator.
  double pixel_m() const { return pixel_m_; }

  // The places where values are sampled: kSide x kSide, row after row.
  std::vector<sphere::Vector> Directions() const;

  // The sampled layers without the pixels around, and LAYER_NORMAL to east and south, made from the
  // heights of the pixels on both sides. Heights must be among the layers.
  raster::LayerGrid Pixels(const SampledLayers& layers) const;

 private:
  double radius_m_;
  double pixel_m_;
  // In degrees; latitudes beyond a pole are above 90 or below -90.
  std::array<double, kSide> longitudes_;
  std::array<double, kSide> latitudes_;
};

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
  whole.layers = raster::ReliefLayers(StyleOf(query, grid), *whole.world);
  whole.key.level = LevelOf(query.tiling, kPicturePixels, query.tile.zoom);
  return whole;
}

absl::StatusOr<std::string> PictureBytesOf(const PictureQuery& query,
                                           std::span<const tile::TileContents> tiles) {
  const PictureGrid grid = GridOf(query);
  const FaceSamples faces(TileQueryOf(query, grid), grid.Directions());
  THALWEG_ASSIGN_OR_RETURN(const SampledLayers layers, faces.Sample(tiles, sampling::RuleOf));
  return raster::PaintRelief(StyleOf(query, grid), raster::Compass(), grid.Pixels(layers));
}

// The latitude at a part of the way from the pyramid's northern edge (0) to the southern one (1).
double LatitudeAt(Tiling tiling, double share) {
  if (tiling == Tiling::kGeographic) return 90 - 180 * share;
  return std::atan(std::sinh(std::numbers::pi * (1 - 2 * share))) * (180 / std::numbers::pi);
}

PictureGrid::PictureGrid(Tiling tiling, const GlobeTile& tile, double radius_m)
    : radius_m_(radius_m) {
  const auto columns = static_cast<double>(ColumnsAt(tiling, tile.zoom) * kPicturePixels);
  const auto rows = static_cast<double>(RowsAt(tile.zoom) * kPicturePixels);
  for (int n = 0; n < kSide; ++n) {
    const double x = static_cast<double>(tile.x * kPicturePixels + n) - 0.5;
    const double y = static_cast<double>(tile.y * kPicturePixels + n) - 0.5;
    const auto index = static_cast<std::size_t>(n);
    longitudes_[index] = 360 * x / columns - 180;
    latitudes_[index] = LatitudeAt(tiling, y / rows);
  }
  const double around_m = 2 * std::numbers::pi * radius_m;
  pixel_m_ = around_m / columns;
}

std::vector<sphere::Vector> PictureGrid::Directions() const {
  std::vector<Angle> longitudes;
  for (const double degrees : longitudes_) longitudes.push_back(AngleOf(degrees));
  std::vector<sphere::Vector> directions;
  directions.reserve(std::size_t{kSide} * kSide);
  for (const double degrees : latitudes_) {
    const Angle latitude = AngleOf(degrees);
    for (const Angle& longitude : longitudes) {
      directions.push_back(DirectionAt(latitude, longitude));
    }
  }
  return directions;
}

raster::LayerGrid PictureGrid::Pixels(const SampledLayers& layers) const {
  const std::vector<std::int32_t>& heights = layers.at(v1::LAYER_HEIGHT);
  const double unit_m = radius_m_ * (std::numbers::pi / 180) * 65'536;  // a degree, in height units
  raster::LayerGrid pixels{.size = kPicturePixels, .layers = {}};
  std::vector<std::int32_t>& normals = pixels.layers[v1::LAYER_NORMAL];
  for (std::size_t y = 1; y <= kPicturePixels; ++y) {
    const double across = unit_m * AngleOf(latitudes_[y]).cosine;
    for (std::size_t x = 1; x <= kPicturePixels; ++x) {
      const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<double>(heights[row * kSide + column]);
      };
      const tile::Rise rise = {.east = (at(y, x + 1) - at(y, x - 1)) /
                                       (across * (longitudes_[x + 1] - longitudes_[x - 1])),
                               .south = (at(y + 1, x) - at(y - 1, x)) /
                                        (unit_m * (latitudes_[y - 1] - latitudes_[y + 1]))};
      normals.push_back(tile::NormalOf(rise, 1));
    }
  }
  for (const auto& [layer, values] : layers) {
    std::vector<std::int32_t>& inner = pixels.layers[layer];
    for (std::size_t y = 1; y <= kPicturePixels; ++y) {
      const auto row = values.begin() + static_cast<std::ptrdiff_t>(y) * kSide;
      inner.insert(inner.end(), row + 1, row + 1 + kPicturePixels);
    }
  }
  return pixels;
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
