// The ellipsoid of revolution that a planet is shown on.
#pragma once

#include <span>

#include "proto/geometry/cube_sphere.h"

namespace thalweg::geographic {

// The semi-axes in metres.
struct Ellipsoid {
  double equatorial_m = 0;
  double polar_m = 0;

  friend bool operator==(const Ellipsoid&, const Ellipsoid&) = default;
};

// World Geodetic System 1984, which software for globes assumes (NGA.STND.0036, 3.4).
inline constexpr Ellipsoid kWgs84 = {6'378'137.0, 6'356'752.314'245'179'5};

// WGS 84 for a planet whose radius is within a hundredth of the Earth's mean radius, 6,371,008.8 m;
// else the planet's own sphere.
Ellipsoid EllipsoidOf(double radius_m);

// The sine and cosine of a latitude or longitude.
struct Angle {
  double sine = 0;
  double cosine = 1;
};
Angle AngleOf(double degrees);

// The direction of a place from the middle of the planet's sphere, as a unit vector. Latitudes
// beyond a pole lie on the pole's other side.
sphere::Vector DirectionAt(const Angle& latitude, const Angle& longitude);

// The point at a height above a place of geodetic latitude and longitude: in metres from the
// ellipsoid's middle, along the axes of sphere::Vector.
sphere::Vector PointAbove(const Ellipsoid& ellipsoid, const Angle& latitude, const Angle& longitude,
                          double height_m);
// As above, for a place given by its direction (DirectionAt). At a pole the longitude is 0.
sphere::Vector PointAbove(const Ellipsoid& ellipsoid, const sphere::Vector& direction,
                          double height_m);

// The extent of a mesh in space, for clients that cull invisible tiles.
struct BoundingSphere {
  sphere::Vector center;
  double radius_m = 0;
};

// A sphere around all points, of which there must be one. Its centre is the middle of their box.
BoundingSphere BoundingSphereOf(std::span<const sphere::Vector> points);

// The horizon occlusion point: if the ellipsoid hides it, it hides all points. It lies in the
// direction of `towards`, and is scaled by the semi-axes (quantized-mesh-1.0, "Header"; K. Ring,
// "Computing the horizon occlusion point", 2013). As in CesiumJS, for ground below the ellipsoid
// the ellipsoid is first shrunk by `min_height_m`; clients that test against the full one hide
// less. NaN if there is no such point, for tiles of half a globe: comparisons with NaN are false,
// so these are never hidden.
sphere::Vector HorizonPointOf(std::span<const sphere::Vector> points, const Ellipsoid& ellipsoid,
                              const sphere::Vector& towards, double min_height_m);

}  // namespace thalweg::geographic
