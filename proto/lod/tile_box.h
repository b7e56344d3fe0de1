// The space that a tile's ground takes on a plane.
#pragma once

#include "proto/lod/frustum.h"
#include "proto/lod/grid.h"
#include "proto/lod/view.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// An axis-aligned box.
struct Box {
  Vector min;
  Vector max;
};

// The box over a tile's square, between two heights in metres.
Box BoxOf(const Grid& grid, const wire::TileKey& key, double min_height_m, double max_height_m);

// From the point to the nearest point of the box, in metres; 0 inside.
double DistanceTo(const Box& box, const Vector& point);

// The same without heights: to the box's square, seen from above.
double HorizontalDistanceTo(const Box& box, const Vector& point);

// The ball around the box.
Ball BallOf(const Box& box);

}  // namespace thalweg::lod
