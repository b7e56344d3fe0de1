// The positions of vertices of a cube's faces on the unit sphere: S2's quadratic projection
// (s2geometry.io, "S2 Cells"; s2coords.h). Areas of cells differ by a factor of at most 2.1.
#pragma once

#include "proto/sphere/cube_faces.h"

namespace thalweg::sphere {

// A point or a direction in space: the north pole is at z, longitude 0 at x, longitude 90° at y.
// Right-handed.
struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
};

// A place on a face, as parts of its side: 0 to 1 from west to east and from north to south.
struct FacePlace {
  int face = 0;
  double x = 0;
  double y = 0;
};

// In degrees: latitude -90 to 90, longitude -180 to 180 to the east.
struct LatLong {
  double latitude = 0;
  double longitude = 0;
};

// Converts from -1 to 1 on the cube to 0 to 1 on the lattice, and back.
double ToLattice(double on_cube);
double ToCube(double on_lattice);

// Returns the point of a place. Places beyond the face's sides continue its projection.
Point PointOf(const FacePlace& place);

// Returns the place of a point other than the planet's middle. On an edge: on one of its faces.
FacePlace PlaceOf(const Point& point);
// The same on a chosen face or its continuation. The point must lie less than 90° from the face's
// middle.
FacePlace PlaceOn(int face, const Point& point);

Point PointOf(const LatLong& place);
LatLong LatLongOf(const Point& point);

}  // namespace thalweg::sphere
