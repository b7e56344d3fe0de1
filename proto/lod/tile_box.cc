#include "proto/lod/tile_box.h"

#include <algorithm>

namespace thalweg::lod {
namespace {

double Beyond(double value, double least, double most) {
  return std::max({least - value, value - most, 0.0});
}

}  // namespace

Box BoxOf(const Grid& grid, const wire::TileKey& key, double least_height_m, double most_height_m) {
  const double side = TileSizeM(grid, key.level);
  const double west = static_cast<double>(key.x) * side;
  const double north = static_cast<double>(key.y) * side;
  return {{west, north, least_height_m}, {west + side, north + side, most_height_m}};
}

double DistanceTo(const Box& box, const Vector& point) {
  return Length({Beyond(point.x, box.least.x, box.most.x), Beyond(point.y, box.least.y, box.most.y),
                 Beyond(point.z, box.least.z, box.most.z)});
}

double HorizontalDistanceTo(const Box& box, const Vector& point) {
  return Length(
      {Beyond(point.x, box.least.x, box.most.x), Beyond(point.y, box.least.y, box.most.y), 0});
}

Ball BallOf(const Box& box) {
  return {.middle = 0.5 * (box.least + box.most), .radius_m = 0.5 * Length(box.most - box.least)};
}

}  // namespace thalweg::lod
