#include "proto/lod/tile_box.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg::lod {
namespace {

Vector Unit(const Vector& vector) { return 1 / Length(vector) * vector; }

double Beyond(double value, double least, double most) {
  return std::max({least - value, value - most, 0.0});
}

}  // namespace

double CellSizeM(const Grid& grid, int level) { return std::ldexp(grid.cell_size_m, -level); }

double TileSizeM(const Grid& grid, int level) { return CellSizeM(grid, level) * wire::kTileCells; }

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

Frustum::Frustum(const View& view) : position_(view.position), forward_(Unit(view.direction)) {
  // A camera that looks straight up or down has north (or south) at the top of its picture.
  const Vector up_hint = std::abs(forward_.z) < 0.999 ? Vector{0, 0, 1} : Vector{0, -1, 0};
  const Vector right = Unit(Cross(forward_, up_hint));
  const Vector up = Cross(right, forward_);
  const double up_tangent = std::tan(view.vertical_fov_deg * std::numbers::pi / 360);
  const double right_tangent = up_tangent * view.aspect;
  // A side's plane holds the eye and an edge of the picture.
  normals_ = {Unit(right_tangent * forward_ + right), Unit(right_tangent * forward_ - right),
              Unit(up_tangent * forward_ + up), Unit(up_tangent * forward_ - up)};
}

bool Frustum::MayShow(const Box& box) const {
  const Vector middle = 0.5 * (box.least + box.most) - position_;
  const double radius = 0.5 * Length(box.most - box.least);
  if (Dot(middle, forward_) < -radius) return false;
  return std::all_of(normals_.begin(), normals_.end(),
                     [&](const Vector& normal) { return Dot(middle, normal) >= -radius; });
}

}  // namespace thalweg::lod
