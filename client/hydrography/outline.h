// The border of a set of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::hydrography {

// A corner of cells: the north-west one of the cell of vertex (x, y).
struct Corner {
  int x = 0;
  int y = 0;

  friend bool operator==(const Corner&, const Corner&) = default;
};

// Closed: the first corner is the last one. No three on one line follow each other.
using Ring = std::vector<Corner>;

// The rings around the cells whose value is `label`, which must be joined over their edges: the
// outer one first, counterclockwise on a map, then holes, clockwise. Rings may touch at single
// corners only, as OGC's simple features allow. `cells` are the indices of all these cells.
std::vector<Ring> Outline(const survey::Grid<std::int32_t>& labels, std::int32_t label,
                          const std::vector<std::int32_t>& cells);

}  // namespace thalweg::hydrography
