// SPDX-License-Identifier: Apache-2.0

// Points and tiles of planets in space.
//
// Points are in metres from the planet's middle. The axes are right-handed: z to the north pole, x
// to latitude and longitude 0, y to longitude 90° east. Heights are measured above a sphere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/export.h"
#include "thalweg/sample.h"
#include "thalweg/tile.h"

namespace thalweg {

// A point or a direction in space.
struct SpaceVector {
  double x = 0;
  double y = 0;
  double z = 0;
};

// Returns the point above a place, at a distance from the planet's middle: radius plus height.
THALWEG_API SpaceVector SpacePointOf(const LatLong& place, double from_middle_m);

// Returns the place below a point; the north pole for the planet's middle.
THALWEG_API LatLong LatLongOf(const SpaceVector& point_m);

// The directions at a point, of length 1. At a pole, north is the direction of longitude 180° or 0.
struct Compass {
  SpaceVector up;
  SpaceVector north;
  SpaceVector east;
};
THALWEG_API Compass CompassAt(const SpaceVector& point_m);

// A tile's 257 x 257 vertices, in rows like its heights, three floats each. Positions are in metres
// from the tile's own origin, along the axes of space, so floats are accurate to a 16,000,000th of
// the tile's size: under a millimetre for tiles of some kilometres.
struct TileVertices {
  // The middle of the tile, on the sphere.
  SpaceVector origin_m = {};
  std::vector<float> positions_m = {};
  // The upward direction and the ground's normal, of length 1. At the border the normals are those
  // of the cells inside the tile; Layer::kNormal has normals without seams.
  std::vector<float> ups = {};
  std::vector<float> normals = {};
};

// Returns the vertices of a planet's tile. `radius_m` is WorldInfo::radius_m. `heights` are 257 x
// 257 in 1/65,536 m: the tile's height plane, or StitchedHeights. The vectors are empty for a key
// that no planet has, and for fewer heights. A pure function; thread-safe.
THALWEG_API TileVertices TileVerticesOf(const TileKey& key, double radius_m,
                                        std::span<const std::int32_t> heights);

}  // namespace thalweg
