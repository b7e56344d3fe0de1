#include "server/raster/compass.h"

#include <cmath>
#include <cstdint>

#include "proto/wire/tile_key.h"

namespace thalweg::raster {
namespace {

double Dot(const sphere::Axis& axis, const sphere::Point& point) {
  return axis.x * point.x + axis.y * point.y + axis.z * point.z;
}

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
  const sphere::Point up = {along(axes_.middle.x, axes_.x.x, axes_.y.x),
                            along(axes_.middle.y, axes_.x.y, axes_.y.y),
                            along(axes_.middle.z, axes_.x.z, axes_.y.z)};
  // The distance from the planet's axis: exactly 0 at a pole.
  const double across = std::hypot(up.x, up.y);
  const sphere::Point east =
      across > 0 ? sphere::Point{-up.y / across, up.x / across, 0} : sphere::Point{0, 1, 0};
  const sphere::Point south = {up.z * east.y, -up.z * east.x, up.y * east.x - up.x * east.y};
  // Columns run along the face's x axis, without the vertical part of that axis.
  const double level = std::sqrt(1 - u * u / (length * length));
  const auto cosine = static_cast<float>(Dot(axes_.x, east) / level);
  const auto sine = static_cast<float>(Dot(axes_.x, south) / level);
  return {normal.east * cosine - normal.south * sine, normal.east * sine + normal.south * cosine,
          normal.up};
}

}  // namespace thalweg::raster
