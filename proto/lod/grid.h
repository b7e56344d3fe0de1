// How a world is divided into levels of tiles.
#pragma once

#include "proto/wire/tile_key.h"

namespace thalweg::lod {

struct Grid {
  // The spacing of level 0's vertices in metres; it halves with each level. On a planet the mean.
  double cell_size_m = 1;
  int levels = 1;
  // The planet's radius in metres; 0: the world is an infinite plane.
  double radius_m = 0;

  friend bool operator==(const Grid&, const Grid&) = default;
};

wire::Shape ShapeOf(const Grid& grid);

// Returns the spacing of a level's vertices, in metres.
double CellSizeM(const Grid& grid, int level);

// Returns the side of a level's tiles, in metres.
double TileSizeM(const Grid& grid, int level);

}  // namespace thalweg::lod
