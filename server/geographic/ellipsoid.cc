#include "server/geographic/ellipsoid.h"

#include <cmath>
#include <numbers>

namespace thalweg::geographic {

Ellipsoid EllipsoidOf(double radius_m) {
  constexpr double kEarthM = 6'371'008.8;
  if (std::abs(radius_m / kEarthM - 1) <= 0.01) return kWgs84;
  return {radius_m, radius_m};
}

Angle AngleOf(double degrees) {
  const double radians = degrees * (std::numbers::pi / 180);
  return {std::sin(radians), std::cos(radians)};
}

sphere::Point DirectionAt(const Angle& latitude, const Angle& longitude) {
  return {latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine};
}

sphere::Point PointAbove(const Ellipsoid& ellipsoid, const Angle& latitude, const Angle& longitude,
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

sphere::Point PointAbove(const Ellipsoid& ellipsoid, const sphere::Point& direction,
                         double height_m) {
  const double across = std::hypot(direction.x, direction.y);
  const Angle longitude = across > 0 ? Angle{direction.y / across, direction.x / across} : Angle{};
  return PointAbove(ellipsoid, {direction.z, across}, longitude, height_m);
}

}  // namespace thalweg::geographic
