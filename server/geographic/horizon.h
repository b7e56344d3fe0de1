// Where a mesh lies in space, for those who leave out what can't be seen.
#pragma once

#include <span>

#include "proto/sphere/cube_sphere.h"
#include "server/geographic/ellipsoid.h"

namespace thalweg::geographic {

struct BoundingSphere {
  sphere::Point center;
  double radius_m = 0;
};

// A sphere around all points, at least one: around the middle of their box.
BoundingSphere BoundingSphereOf(std::span<const sphere::Point> points);

// The horizon occlusion point: while it is behind the ellipsoid, all points are. It lies in the
// direction of `towards`, and is scaled by the semi-axes (quantized-mesh-1.0, "Header";
// K. Ring, "Computing the horizon occlusion point", 2013). As CesiumJS has it, an ellipsoid under
// ground that is lower is shrunk by `min_height_m` first; who tests it against the whole one hides
// less. Not a number where there is no such point, of tiles of half a globe: comparisons with it
// are false, so that they are never hidden.
sphere::Point HorizonPointOf(std::span<const sphere::Point> points, const Ellipsoid& ellipsoid,
                             const sphere::Point& towards, double min_height_m);

}  // namespace thalweg::geographic
