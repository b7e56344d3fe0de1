// Shaded relief without seams: a pixel's colour depends only on the values of its own vertex, on
// absolute scales, and normals are exact across tiles.
#include "server/raster/relief.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "proto/picture/image.h"
#include "proto/picture/ramp.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/raster/render.h"
#include "server/tile/layers/tile_layers.h"

namespace thalweg::raster {
namespace {

std::vector<double> OnCube(const RasterQuery& query, std::int64_t tile) {
  const int finer = query.size == 512 ? 1 : 0;
  const auto cells =
      static_cast<double>(std::int64_t{wire::kTileCells} << query.tile_query.key.level);
  std::vector<double> on_cube;
  for (int i = 0; i < query.size; ++i) {
    const double vertex = static_cast<double>(tile * wire::kTileCells) + std::ldexp(i, -finer);
    on_cube.push_back(sphere::ToCube(vertex / cells));
  }
  return on_cube;
}

using picture::Color;
using picture::Shade;

constexpr std::int32_t kMetre = 65'536;
constexpr std::int32_t kNoShore = 65'535;
constexpr Color kPaper = {0.86F, 0.86F, 0.85F};

float Metres(std::int32_t value) { return static_cast<float>(value) / 65'536.0F; }

// The scale of a layer, the same in every picture.
picture::OverlayScale ScaleOf(const ReliefStyle& style) {
  switch (style.layer) {
    case v1::LAYER_FLOW:
      return {.largest = 1 << 26, .min = 0, .max = 1 << 26};
    case v1::LAYER_WATER_LEVEL:
      return {.largest = 4'000 * kMetre, .min = -1'000 * kMetre, .max = 4'000 * kMetre};
    case v1::LAYER_WATER_DEPTH:
      return {.largest = 1'000 * kMetre, .min = 0, .max = 1'000 * kMetre};
    case v1::LAYER_SLOPE:
      return {.largest = 4 * 65'536, .min = 0, .max = 4 * 65'536};
    default: {
      // A level's stages move ground in proportion to the size of its cells.
      const double largest_m = std::clamp(style.pixel_m / 2, 0.25, 200.0);
      const auto largest = static_cast<std::int32_t>(largest_m * kMetre);
      return {.largest = largest, .min = -largest, .max = largest};
    }
  }
}

using Values = std::span<const std::int32_t>;

// The layers of a picture. A layer that it does not show is empty.
struct Sources {
  Values heights;
  Values normals;
  Values values;
  Values flow;
  Values depth;
  Values shore;
};

absl::StatusOr<Sources> SourcesOf(const ReliefStyle& style, const LayerGrid& grid) {
  Sources sources;
  THALWEG_ASSIGN_OR_RETURN(sources.heights, ValuesOf(grid, v1::LAYER_HEIGHT));
  THALWEG_ASSIGN_OR_RETURN(sources.normals, ValuesOf(grid, v1::LAYER_NORMAL));
  THALWEG_ASSIGN_OR_RETURN(sources.values, ValuesOf(grid, style.layer));
  if (style.layer == v1::LAYER_HEIGHT) {
    THALWEG_ASSIGN_OR_RETURN(sources.flow, ValuesOf(grid, v1::LAYER_FLOW));
  }
  if (style.layer == v1::LAYER_SHORE_DIRECTION) {
    THALWEG_ASSIGN_OR_RETURN(sources.shore, ValuesOf(grid, v1::LAYER_SHORE_DISTANCE));
  }
  // Not every world has water.
  if (grid.layers.contains(v1::LAYER_WATER_DEPTH)) {
    THALWEG_ASSIGN_OR_RETURN(sources.depth, ValuesOf(grid, v1::LAYER_WATER_DEPTH));
  }
  return sources;
}

class Painter {
 public:
  Painter(const ReliefStyle& style, const Compass& compass, const Sources& sources, int size)
      : layer_(style.layer),
        satellite_(style.satellite),
        heights_(sources.heights),
        normals_(sources.normals),
        values_(sources.values),
        flow_(sources.flow),
        depth_(sources.depth),
        shore_(sources.shore),
        size_(size),
        compass_(compass),
        exaggeration_(picture::Exaggeration(style.pixel_m)),
        scale_(ScaleOf(style)) {
    if (style.sea_level_m) ramp_.sea_level_m = static_cast<float>(*style.sea_level_m);
  }

  Color At(std::size_t i) const {
    const Shade shade = ShadeAt(i);
    if (satellite_) {
      return picture::LitCover(values_[i], depth_.empty() ? 0 : Metres(depth_[i]), shade);
    }
    return layer_ == v1::LAYER_HEIGHT ? GroundAt(i, shade) : LayerAt(i, shade);
  }

 private:
  Shade ShadeAt(std::size_t i) const {
    const int pixel = static_cast<int>(i);
    const picture::Slope slope = picture::SlopeOf(
        compass_.Turned(picture::NormalOf(normals_[i]), pixel % size_, pixel / size_));
    return {.light = picture::Illumination(picture::Exaggerate(slope, exaggeration_)) /
                     picture::FlatIllumination(),
            .open = 1,
            .steepness = picture::Steepness(slope)};
  }

  Color GroundAt(std::size_t i, const Shade& shade) const {
    if (!depth_.empty() && depth_[i] > 0) return picture::LitWater(Metres(depth_[i]), shade);
    const Color land = picture::LitLand(picture::RampPosition(Metres(heights_[i]), ramp_), shade);
    return picture::WithRiver(land, picture::RiverShare(flow_[i]), shade);
  }

  Color LayerAt(std::size_t i, const Shade& shade) const {
    const bool bare = (layer_ == v1::LAYER_WATER_LEVEL && values_[i] <= heights_[i]) ||
                      (layer_ == v1::LAYER_SHORE_DIRECTION && std::abs(shore_[i]) >= kNoShore);
    const picture::Overlay overlay =
        bare ? picture::Overlay{} : picture::LayerOverlay(layer_, values_[i], scale_);
    if (overlay.lit) return picture::Lit(Mix(kPaper, overlay.color, overlay.share), shade);
    return Mix(picture::Lit(kPaper, shade), overlay.color, overlay.share);
  }

  const v1::Layer layer_;
  const bool satellite_;
  const Values heights_;
  const Values normals_;
  const Values values_;
  const Values flow_;
  const Values depth_;
  const Values shore_;
  const int size_;
  const Compass& compass_;
  const float exaggeration_;
  const picture::OverlayScale scale_;
  picture::HeightScale ramp_;
};

}  // namespace

Compass::Compass(const RasterQuery& query)
    : is_planet_(query.tile_query.world->spec().has_sphere()),
      axes_(sphere::AxesOf(query.tile_query.key.face)) {
  if (!is_planet_) return;
  columns_ = OnCube(query, query.tile_query.key.x);
  rows_ = OnCube(query, query.tile_query.key.y);
}

picture::UnitNormal Compass::Turned(const picture::UnitNormal& normal, int x, int y) const {
  if (!is_planet_) return normal;
  const double u = columns_[static_cast<std::size_t>(x)];
  const double v = rows_[static_cast<std::size_t>(y)];
  const double length = std::sqrt(1 + u * u + v * v);
  const auto along = [&](int middle, int east, int south) {
    return (middle + u * east + v * south) / length;
  };
  const sphere::Vector up = {along(axes_.middle.x, axes_.x.x, axes_.y.x),
                             along(axes_.middle.y, axes_.x.y, axes_.y.y),
                             along(axes_.middle.z, axes_.x.z, axes_.y.z)};
  // The distance from the planet's axis: exactly 0 at a pole.
  const double across = std::hypot(up.x, up.y);
  const sphere::Vector east =
      across > 0 ? sphere::Vector{-up.y / across, up.x / across, 0} : sphere::Vector{0, 1, 0};
  const sphere::Vector south = {up.z * east.y, -up.z * east.x, up.y * east.x - up.x * east.y};
  // Columns run along the face's x axis, without the vertical part of that axis.
  const double level = std::sqrt(1 - u * u / (length * length));
  const auto cosine = static_cast<float>(Dot(VectorOf(axes_.x), east) / level);
  const auto sine = static_cast<float>(Dot(VectorOf(axes_.x), south) / level);
  return {normal.east * cosine - normal.south * sine, normal.east * sine + normal.south * cosine,
          normal.up};
}

std::optional<double> SeaLevelOf(const world::World& world) {
  const v1::WorldSpec& spec = world.spec();
  return spec.has_sea_level_m() ? std::optional(spec.sea_level_m()) : std::nullopt;
}

ReliefStyle StyleOf(const RasterQuery& query) {
  return {.satellite = query.format == Format::kSatellite,
          .layer = query.layer,
          .pixel_m = PixelMetres(query),
          .sea_level_m = SeaLevelOf(*query.tile_query.world)};
}

tile::LayerChoice ReliefLayers(const ReliefStyle& style, const world::World& world) {
  tile::LayerChoice layers;
  if (style.layer != v1::LAYER_HEIGHT && !style.satellite) {
    layers.Add(style.layer);
    // The distance shows where no shore was found.
    if (style.layer == v1::LAYER_SHORE_DIRECTION) layers.Add(v1::LAYER_SHORE_DISTANCE);
    return layers;
  }
  layers.Add(style.satellite ? v1::LAYER_COVER : v1::LAYER_FLOW);
  if (tile::HasLayer(world, v1::LAYER_WATER_DEPTH)) layers.Add(v1::LAYER_WATER_DEPTH);
  return layers;
}

absl::StatusOr<std::string> RenderRelief(const RasterQuery& query, const LayerGrid& grid) {
  return PaintRelief(StyleOf(query), Compass(query), grid);
}

absl::StatusOr<std::string> PaintRelief(const ReliefStyle& style, const Compass& compass,
                                        const LayerGrid& grid) {
  THALWEG_ASSIGN_OR_RETURN(const Sources sources, SourcesOf(style, grid));
  const Painter painter(style, compass, sources, grid.size);
  picture::Image image(grid.size, grid.size);
  std::size_t i = 0;
  for (int y = 0; y < grid.size; ++y) {
    for (int x = 0; x < grid.size; ++x) image.Set(x, y, painter.At(i++));
  }
  return ColorPng(image);
}

}  // namespace thalweg::raster
