// Ground into which rivers are cut, so that water routed over it runs where the world has it run.
#pragma once

#include "client/hydrography/lakes.h"
#include "client/hydrography/waters.h"
#include "client/survey/grid.h"

namespace thalweg::hydrography {

// What vertices have that water leaves at: under any ground.
inline constexpr double kBurnedOutlet = -1e9;

// The water's surface in metres, lowered by a cell for every doubling of the flow ("stream
// burning", Saunders 1999); lakes as if the largest flow in them ran everywhere. Ground under the
// sea is kBurnedOutlet, and so are the ends of rivers inland: pits from which water would have to
// climb half of what a river of `min_flow_cells` is cut in.
survey::Grid<double> BurnRivers(const Waters& waters, const Lakes& lakes, double min_flow_cells);

}  // namespace thalweg::hydrography
