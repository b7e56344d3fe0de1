// Rivers as lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client/tools/hydrography/lakes.h"
#include "client/tools/hydrography/waters.h"

namespace thalweg::hydrography {

// A river from a source or a confluence to the next confluence, or to its end.
struct Reach {
  // Indices of its vertices, downstream. The last one is the next reach's first.
  std::vector<std::int32_t> vertices;
  // The water's surface at each vertex. It never rises downstream: pits of the ground are filled.
  std::vector<double> level_m;
  // The stream order (Strahler 1957).
  int order = 1;
  // The largest flow upstream of the last vertex, because the world's flow is small within lakes.
  double flow_cells = 0;
  double length_m = 0;
  // The reach that it flows into; kNoReach if it ends in the sea, at the border or inland.
  std::size_t next = kNoReach;

  static constexpr std::size_t kNoReach = static_cast<std::size_t>(-1);
};

// Finds the rivers of the region with at least `min_flow_cells`, routed by client/tools/survey over
// ground with the world's flow burnt in. Reaches are in the order of their first vertices, upstream
// before downstream.
std::vector<Reach> FindRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells);

// Returns a river's width from its drained area: 9 m at 100 km2, growing with the square root of
// the discharge (Leopold & Maddock 1953), as in the layer cover on humid land.
double RiverWidthM(double drained_m2);

}  // namespace thalweg::hydrography
