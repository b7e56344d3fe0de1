// A planet as seen from far away: an orthographic view of half of it.
#pragma once

#include <vector>

#include "proto/sphere/cube_sphere.h"
#include "thalweg/sample.h"

namespace thalweg::globe {

// A pixel that shows the planet.
struct DiscPoint {
  int x = 0;
  int y = 0;
  // A point on the unit sphere, and the picture's directions right and up there, of length 1. The
  // directions are carried along the great circle from the disc's middle.
  sphere::Point at;
  sphere::Point right;
  sphere::Point up;
  // The cosine of the angle to the line of sight: 1 in the middle, 0 at the edge.
  double facing = 1;
  // The part of the pixel that the planet covers, 0 to 1.
  float share = 1;
};

// A square picture of a planet, with a place in the middle and north up (at a pole, as CompassAt).
struct Disc {
  LatLong middle;
  int size = 0;

  // The disc's radius in pixels: a fiftieth of the picture stays free on each side.
  double Radius() const { return 0.48 * size; }
  // Returns the disc's points, row by row.
  std::vector<DiscPoint> Points() const;
};

// Returns the coarsest level whose cells, in the disc's middle, are no larger than its pixels.
int LevelOf(const Disc& disc);

}  // namespace thalweg::globe
