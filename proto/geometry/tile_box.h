// The space that a tile's ground takes on a plane.
#pragma once

#include "proto/geometry/surface.h"
#include "proto/geometry/vector.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// An axis-aligned box.
struct Box {
  sphere::Vector min;
  sphere::Vector max;
};

// Returns the box over a tile's square, between two heights in metres.
Box BoxOf(const WorldGrid& grid, const wire::TileKey& key, double min_height_m,
          double max_height_m);

// Returns the distance from a point to the nearest point of a box, in metres; 0 inside.
double DistanceTo(const Box& box, const sphere::Vector& point);

// The same without heights: the distance to the box's square, seen from above.
double HorizontalDistanceTo(const Box& box, const sphere::Vector& point);

// Returns the ball around a box.
Ball BallOf(const Box& box);

}  // namespace thalweg::lod
