#include "client/cli/planet_path.h"

#include <algorithm>
#include <cmath>

#include "proto/sphere/cube_sphere.h"

namespace thalweg::cli {
namespace {

constexpr double kMinHeightM = 0.1;
// Angles in radians: a millionth of these is less than a metre on a planet.
constexpr double kNearlyOpposite = 1e-9;
constexpr double kSamePlace = 1e-12;

lod::Vector UpOver(const LatLong& place) {
  const sphere::Point point = sphere::PointOf(sphere::LatLong{place.latitude, place.longitude});
  return {point.x, point.y, point.z};
}

// Returns the point after a share of the great circle between two points of the unit sphere (slerp:
// Shoemake, Animating rotation with quaternion curves, 1985).
lod::Vector OnGreatCircle(const lod::Vector& from, const lod::Vector& to, double share) {
  const lod::Vector axis = lod::Cross(from, to);
  const double sin = lod::Length(axis);
  if (sin < kSamePlace) return from;
  const double angle = share * std::atan2(sin, lod::Dot(from, to));
  return std::cos(angle) * from + std::sin(angle) / sin * lod::Cross(axis, from);
}

}  // namespace

bool AreOpposite(const LatLong& a, const LatLong& b) {
  return lod::Length(UpOver(a) + UpOver(b)) < kNearlyOpposite;
}

PlanetPath::PlanetPath(const std::vector<PathPoint>& points) {
  knots_.reserve(points.size());
  for (const PathPoint& point : points) {
    knots_.push_back({.seconds = point.seconds,
                      .up = UpOver(point.place),
                      .log_height = std::log(std::max(point.height_m, kMinHeightM))});
  }
}

PathPosition PlanetPath::At(double seconds) const {
  const auto after = std::ranges::upper_bound(knots_, seconds, {}, &Knot::seconds);
  if (after == knots_.begin() || after == knots_.end()) {
    const Knot& end = after == knots_.begin() ? knots_.front() : knots_.back();
    return {end.up, std::exp(end.log_height)};
  }
  const Knot& from = *(after - 1);
  const double share = (seconds - from.seconds) / (after->seconds - from.seconds);
  return {OnGreatCircle(from.up, after->up, share),
          std::exp(std::lerp(from.log_height, after->log_height, share))};
}

}  // namespace thalweg::cli
