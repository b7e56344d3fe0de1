// The border of a set of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::hydrography {

// A corner of cells: the north-west corner of the cell of vertex (x, y).
struct Corner {
  int x = 0;
  int y = 0;

  friend bool operator==(const Corner&, const Corner&) = default;
};

// A closed ring: the first corner is also the last. No three consecutive corners are on one line.
using Ring = std::vector<Corner>;

// Returns the rings around the cells whose value is `label`, which must be joined over their edges:
// first the outer ring, counterclockwise on a map, then the holes, clockwise. Rings may touch only
// at single corners, as OGC's simple features allow. `cells` has the indices of all these cells.
std::vector<Ring> Outline(const survey::Grid<std::int32_t>& labels, std::int32_t label,
                          const std::vector<std::int32_t>& cells);

}  // namespace thalweg::hydrography
