#include "server/geographic/ellipsoid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace thalweg::geographic {
namespace {

// How far along a direction the occlusion point must be, so that a camera that can't see the
// occlusion point can't see this point either. Infinite or negative if there is no such distance.
double ReachOf(const sphere::Vector& scaled, const sphere::Vector& direction) {
  const double length = Length(scaled);
  const sphere::Vector unit = 1 / length * scaled;
  const double cos_alpha = Dot(unit, direction);
  const double sin_alpha = Length(Cross(unit, direction));
  // Points below the ellipsoid count as points on it.
  const double cos_beta = 1 / std::max(length, 1.0);
  const double sin_beta = std::sqrt(1 - cos_beta * cos_beta);
  return 1 / (cos_alpha * cos_beta - sin_alpha * sin_beta);
}

}  // namespace

Ellipsoid EllipsoidOf(double radius_m) {
  constexpr double kEarthM = 6'371'008.8;
  if (std::abs(radius_m / kEarthM - 1) <= 0.01) return kWgs84;
  return {radius_m, radius_m};
}

Angle AngleOf(double degrees) {
  const double radians = degrees * (std::numbers::pi / 180);
  return {std::sin(radians), std::cos(radians)};
}

sphere::Vector DirectionAt(const Angle& latitude, const Angle& longitude) {
  return {latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine};
}

sphere::Vector PointAbove(const Ellipsoid& ellipsoid, const Angle& latitude, const Angle& longitude,
                          double height_m) {
  const double a = ellipsoid.equatorial_m;
  const double squeeze = ellipsoid.polar_m * ellipsoid.polar_m / (a * a);
  // The distance from the surface to the axis along the normal.
  const double normal_m =
      a / std::sqrt(latitude.cosine * latitude.cosine + squeeze * latitude.sine * latitude.sine);
  const double across_m = (normal_m + height_m) * latitude.cosine;
  return {across_m * longitude.cosine, across_m * longitude.sine,
          (squeeze * normal_m + height_m) * latitude.sine};
}

sphere::Vector PointAbove(const Ellipsoid& ellipsoid, const sphere::Vector& direction,
                          double height_m) {
  const double across = std::hypot(direction.x, direction.y);
  const Angle longitude = across > 0 ? Angle{direction.y / across, direction.x / across} : Angle{};
  return PointAbove(ellipsoid, {direction.z, across}, longitude, height_m);
}

BoundingSphere BoundingSphereOf(std::span<const sphere::Vector> points) {
  sphere::Vector min = points.front();
  sphere::Vector max = points.front();
  for (const sphere::Vector& point : points) {
    min = {std::min(min.x, point.x), std::min(min.y, point.y), std::min(min.z, point.z)};
    max = {std::max(max.x, point.x), std::max(max.y, point.y), std::max(max.z, point.z)};
  }
  BoundingSphere sphere{.center = 0.5 * (min + max)};
  for (const sphere::Vector& point : points) {
    sphere.radius_m = std::max(sphere.radius_m, Length(point - sphere.center));
  }
  return sphere;
}

sphere::Vector HorizonPointOf(std::span<const sphere::Vector> points, const Ellipsoid& ellipsoid,
                              const sphere::Vector& towards, double min_height_m) {
  const double lower_m = std::min(min_height_m, 0.0);
  const double across = 1 / (ellipsoid.equatorial_m + lower_m);
  const double along = 1 / (ellipsoid.polar_m + lower_m);
  const auto scaled = [&](const sphere::Vector& point) -> sphere::Vector {
    return {point.x * across, point.y * across, point.z * along};
  };
  const sphere::Vector direction = Unit(scaled(towards));
  double reach = 0;
  // Farther away, the point's coordinates no longer show its direction, but cameras would use it.
  constexpr double kFarthest = 1e6;
  for (const sphere::Vector& point : points) {
    const double one = ReachOf(scaled(point), direction);
    if (!(one > 0 && one < kFarthest)) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      return {kNone, kNone, kNone};
    }
    reach = std::max(reach, one);
  }
  return reach * direction;
}

}  // namespace thalweg::geographic
