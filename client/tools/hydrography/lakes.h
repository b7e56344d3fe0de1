// Finds lakes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client/tools/hydrography/waters.h"
#include "client/tools/survey/grid.h"

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

struct Lake {
  // The mean of its vertices' levels, which differ by less than a millimetre within one lake.
  double level_m = 0;
  double max_depth_m = 0;
  // Indices of its vertices. Each vertex stands for the cell around it.
  std::vector<std::int32_t> vertices;
};

inline constexpr std::int32_t kNoLake = -1;

struct Lakes {
  std::vector<Lake> lakes;
  // The index of each vertex's lake, or kNoLake.
  survey::Grid<std::int32_t> lake_of;
};

// Finds lakes: standing water that is joined over the edges of cells, with steps of less than a
// quarter of a millimetre. Water at sea level is a lake only if land of the region surrounds it;
// water that reaches the region's border is the sea.
Lakes FindLakes(const Waters& waters);

}  // namespace thalweg::hydrography
