// Ground with rivers cut into it, so that routed water follows the world's rivers.
#pragma once

#include "client/hydrography/lakes.h"
#include "client/hydrography/waters.h"
#include "client/survey/grid.h"

namespace thalweg::hydrography {

// The height of vertices where water leaves: below any ground.
inline constexpr double kBurnedOutlet = -1e9;

// The water's surface in metres, lowered by a cell for every doubling of the flow ("stream
// burning", Saunders 1999); each lake has the largest flow in it everywhere. Ground under the sea
// is kBurnedOutlet, and so are the inland ends of rivers: pits that are deeper than half the cut of
// a river of `min_flow_cells`.
survey::Grid<double> BurnRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells);

}  // namespace thalweg::hydrography
