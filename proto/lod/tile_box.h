// The space that a tile's ground takes, and how it lies to a view.
#pragma once

#include <array>
#include <cstdint>

#include "proto/lod/view.h"
#include "proto/wire/tile_key.h"

namespace thalweg::lod {

// How a world is cut into levels.
struct Grid {
  // The spacing of level 0's vertices; each level halves it.
  double cell_size_m = 1;
  int levels = 1;
};

// The spacing of a level's vertices, in metres.
double CellSizeM(const Grid& grid, int level);

// The side of a level's tiles, in metres.
double TileSizeM(const Grid& grid, int level);

// An axis-aligned box.
struct Box {
  Vector least;
  Vector most;
};

// The box over a tile's square, between two heights in metres.
Box BoxOf(const Grid& grid, const wire::TileKey& key, double least_height_m, double most_height_m);

// From the point to the nearest point of the box, in metres; 0 inside.
double DistanceTo(const Box& box, const Vector& point);

// The same without heights: to the box's square, seen from above.
double HorizontalDistanceTo(const Box& box, const Vector& point);

// The pyramid that a view shows.
class Frustum {
 public:
  explicit Frustum(const View& view);

  // Whether the ball around the box reaches into the pyramid: never false for what can be seen.
  bool MayShow(const Box& box) const;

 private:
  Vector position_;
  Vector forward_;
  // Pointing inward from the left, right, upper and lower side, of length 1.
  std::array<Vector, 4> normals_;
};

}  // namespace thalweg::lod
