// The extent of a mesh in space, for clients that cull invisible tiles.
#pragma once

#include <span>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/ellipsoid.h"

namespace thalweg::geographic {

struct BoundingSphere {
  sphere::Point center;
  double radius_m = 0;
};

// A sphere around all points, of which there must be one. Its centre is the middle of their box.
BoundingSphere BoundingSphereOf(std::span<const sphere::Point> points);

// The horizon occlusion point: if the ellipsoid hides it, it hides all points. It lies in the
// direction of `towards`, and is scaled by the semi-axes (quantized-mesh-1.0, "Header"; K. Ring,
// "Computing the horizon occlusion point", 2013). As in CesiumJS, for ground below the ellipsoid
// the ellipsoid is first shrunk by `min_height_m`; clients that test against the full one hide
// less. NaN if there is no such point, for tiles of half a globe: comparisons with NaN are false,
// so these are never hidden.
sphere::Point HorizonPointOf(std::span<const sphere::Point> points, const Ellipsoid& ellipsoid,
                             const sphere::Point& towards, double min_height_m);

}  // namespace thalweg::geographic
