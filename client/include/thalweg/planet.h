// SPDX-License-Identifier: Apache-2.0

// Places and tiles of planets in space.
//
// Points are in metres from the planet's middle: right-handed, z to the north pole, x to latitude
// and longitude 0, y to longitude 90°. A planet is a sphere; heights are over it.
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

// The point over a place, so many metres from the planet's middle: its radius and the height.
THALWEG_API SpaceVector SpacePointOf(const LatLong& place, double from_middle_m);

// The place that a point is over; of the middle itself: the north pole.
THALWEG_API LatLong LatLongOf(const SpaceVector& point_m);

// Directions at a point, of length 1. At a pole, north is that of longitude 180° or 0.
struct Compass {
  SpaceVector up;
  SpaceVector north;
  SpaceVector east;
};
THALWEG_API Compass CompassAt(const SpaceVector& point_m);

// A tile's 257 x 257 vertices, row by row as its heights, three floats each. Positions are in
// metres from the tile's own origin, along the axes of space: so floats are enough, to a
// 16,000,000th of the tile's size and far less than a millimetre for tiles of some kilometres.
struct TileVertices {
  // On the sphere, in the tile's middle.
  SpaceVector origin_m = {};
  std::vector<float> positions_m = {};
  // Of length 1: what is up there, and the ground's normal. Normals at the border are those of the
  // cells inside; Layer::kNormal has them without seams.
  std::vector<float> ups = {};
  std::vector<float> normals = {};
};

// Of a tile of a planet (WorldInfo::radius_m) with 257 x 257 heights in 1/65,536 m: a plane's
// values, or StitchedHeights. Empty vectors if the key is none of a planet's or there are fewer
// heights. Pure; any thread.
THALWEG_API TileVertices TileVerticesOf(const TileKey& key, double radius_m,
                                        std::span<const std::int32_t> heights);

}  // namespace thalweg
