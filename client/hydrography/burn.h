// Cuts rivers into ground, so that routed water follows the world's rivers.
#pragma once

#include "client/hydrography/lakes.h"
#include "client/hydrography/waters.h"
#include "client/survey/grid.h"

namespace thalweg::hydrography {

// The height of vertices where water leaves: lower than any ground.
inline constexpr double kBurnedOutlet = -1e9;

// Returns the water's surface in metres, lowered by one cell for every doubling of the flow
// ("stream burning", Saunders 1999). Each lake has its largest flow everywhere. Ground under the
// sea is kBurnedOutlet. So are inland ends of rivers: pits that are deeper than half the cut of a
// river of `min_flow_cells`.
survey::Grid<double> BurnRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells);

}  // namespace thalweg::hydrography
