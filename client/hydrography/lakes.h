// Lakes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client/hydrography/waters.h"
#include "client/survey/grid.h"

namespace thalweg::hydrography {

struct Lake {
  // The mean of its vertices' levels; pools differ by less than a millimetre within one lake.
  double level_m = 0;
  double max_depth_m = 0;
  // Its vertices, each of which stands for the cell around it, as indices.
  std::vector<std::int32_t> vertices;
};

inline constexpr std::int32_t kNoLake = -1;

struct Lakes {
  std::vector<Lake> lakes;
  // The lake of each vertex, or kNoLake.
  survey::Grid<std::int32_t> lake_of;
};

// Standing water that is joined over the edges of cells and changes its level by less than a
// quarter of a millimetre from one to the next. Water at sea level is a lake only if land of the
// region surrounds it; water that reaches the region's border is the sea.
Lakes FindLakes(const Waters& waters);

}  // namespace thalweg::hydrography
