// The body that a planet is shown on: an ellipsoid of revolution.
#pragma once

#include "proto/sphere/cube_sphere.h"

namespace thalweg::geographic {

// Semi-axes in metres.
struct Ellipsoid {
  double equatorial_m = 0;
  double polar_m = 0;

  friend bool operator==(const Ellipsoid&, const Ellipsoid&) = default;
};

// World Geodetic System 1984, which globes assume (NGA.STND.0036, 3.4).
inline constexpr Ellipsoid kWgs84 = {6'378'137.0, 6'356'752.314'245'179'5};

// WGS 84 for a planet whose radius is within a hundredth of the Earth's mean one, 6,371,008.8 m;
// else the planet's own sphere.
Ellipsoid EllipsoidOf(double radius_m);

// A latitude or a longitude with its sine and cosine.
struct Angle {
  double sine = 0;
  double cosine = 1;
};
Angle AngleOf(double degrees);

// The direction of a place from the middle of the planet's sphere, on the unit sphere. Latitudes
// beyond a pole lie on the other side of it.
sphere::Point DirectionAt(const Angle& latitude, const Angle& longitude);

// The point at a height above a place of geodetic latitude and longitude: metres from the
// ellipsoid's middle, along the axes of sphere::Point.
sphere::Point PointAbove(const Ellipsoid& ellipsoid, const Angle& latitude, const Angle& longitude,
                         double height_m);
// The same for a place given by its direction, as of DirectionAt. At a pole its longitude is 0.
sphere::Point PointAbove(const Ellipsoid& ellipsoid, const sphere::Point& direction,
                         double height_m);

}  // namespace thalweg::geographic
