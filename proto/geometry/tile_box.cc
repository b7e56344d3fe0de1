#include "proto/geometry/tile_box.h"

#include <algorithm>

namespace thalweg::lod {
namespace {

double Beyond(double value, double min, double max) {
  return std::max({min - value, value - max, 0.0});
}

}  // namespace

Box BoxOf(const WorldGrid& grid, const wire::TileKey& key, double min_height_m,
          double max_height_m) {
  const double side = TileSizeM(grid, key.level);
  const double west = static_cast<double>(key.x) * side;
  const double north = static_cast<double>(key.y) * side;
  return {{west, north, min_height_m}, {west + side, north + side, max_height_m}};
}

double DistanceTo(const Box& box, const sphere::Vector& point) {
  return sphere::Length({Beyond(point.x, box.min.x, box.max.x),
                         Beyond(point.y, box.min.y, box.max.y),
                         Beyond(point.z, box.min.z, box.max.z)});
}

double HorizontalDistanceTo(const Box& box, const sphere::Vector& point) {
  return sphere::Length(
      {Beyond(point.x, box.min.x, box.max.x), Beyond(point.y, box.min.y, box.max.y), 0});
}

Ball BallOf(const Box& box) {
  return {.middle = 0.5 * (box.min + box.max), .radius_m = 0.5 * Length(box.max - box.min)};
}

}  // namespace thalweg::lod
