#include "proto/lod/tile_patch.h"

#include <algorithm>
#include <cmath>

#include "proto/sphere/cube_faces.h"
#include "proto/sphere/cube_sphere.h"

namespace thalweg::lod {

TilePatch::TilePatch(const wire::TileKey& key) : face_(key.face) {
  const auto on_cube = [&key](std::int64_t tile) {
    return sphere::ToCube(std::ldexp(static_cast<double>(tile), -key.level));
  };
  west_ = on_cube(key.x);
  east_ = on_cube(key.x + 1);
  north_ = on_cube(key.y);
  south_ = on_cube(key.y + 1);
}

Vector TilePatch::OnFace(const Vector& vector) const {
  const sphere::FaceAxes axes = sphere::AxesOf(face_);
  return {Dot(VectorOf(axes.middle), vector), Dot(VectorOf(axes.x), vector),
          Dot(VectorOf(axes.y), vector)};
}

double TilePatch::ChordToEdge(const Vector& direction, const Vector& a, const Vector& b) {
  // The nearest direction on the edge's great circle. It lies on the edge itself if it is between a
  // and b; otherwise the nearest one is a or b.
  const Vector normal = Cross(a, b);
  const double from_a = Dot(Cross(normal, a), direction);
  const double from_b = Dot(Cross(b, normal), direction);
  if (from_a > 0 && from_b > 0) {
    const Vector nearest = direction - Dot(direction, normal) / Dot(normal, normal) * normal;
    return Length(direction - Unit(nearest));
  }
  return std::min(Length(direction - Unit(a)), Length(direction - Unit(b)));
}

double TilePatch::ChordTo(const Vector& direction) const {
  const Vector d = OnFace(direction);
  const bool inside = d.x > 0 && d.y >= west_ * d.x && d.y <= east_ * d.x && d.z >= north_ * d.x &&
                      d.z <= south_ * d.x;
  if (inside) return 0;
  const Vector north_west{1, west_, north_};
  const Vector north_east{1, east_, north_};
  const Vector south_east{1, east_, south_};
  const Vector south_west{1, west_, south_};
  return std::min({ChordToEdge(d, north_west, north_east), ChordToEdge(d, north_east, south_east),
                   ChordToEdge(d, south_east, south_west), ChordToEdge(d, south_west, north_west)});
}

Ball TilePatch::BallAround(double min_radius_m, double max_radius_m) const {
  const Vector middle = Unit({1, 0.5 * (west_ + east_), 0.5 * (north_ + south_)});
  // The direction of the patch that is farthest from its middle is a corner.
  double chord = 0;
  for (const double x : {west_, east_}) {
    for (const double y : {north_, south_}) {
      chord = std::max(chord, Length(Unit({1, x, y}) - middle));
    }
  }
  // Along the middle's direction a corner is shorter by half the chord's square: 1 - cos a = c^2 /
  // 2, sin^2 a = c^2 - c^4 / 4.
  const double drop = 0.5 * chord * chord;
  const double aside = chord * std::sqrt(1 - 0.25 * chord * chord);
  const double along = 0.5 * (min_radius_m * (1 - drop) + max_radius_m);
  const auto distance = [&](double radius_m) {
    return std::hypot(radius_m - along - radius_m * drop, radius_m * aside);
  };
  const sphere::FaceAxes axes = sphere::AxesOf(face_);
  const Vector direction =
      middle.x * VectorOf(axes.middle) + middle.y * VectorOf(axes.x) + middle.z * VectorOf(axes.y);
  return {.middle = along * direction,
          .radius_m = std::max({distance(min_radius_m), distance(max_radius_m),
                                max_radius_m - along, along - min_radius_m})};
}

}  // namespace thalweg::lod
