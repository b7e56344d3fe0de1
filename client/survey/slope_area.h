// The law of slope and drainage area.
#pragma once

#include <optional>

#include "client/survey/drainage.h"
#include "client/survey/flood.h"
#include "client/survey/grid.h"

namespace thalweg::survey {

// Cells are channels if at least this many cells drain to them.
inline constexpr int kChannelArea = 100;

// Returns theta of slope = k * area^-theta (Flint 1974): how concave rivers are. Slopes are those
// of the steps of the drainage. Only channels count, without steps from or to cells under standing
// water or a filled depression. The line is fitted to the means of both logarithms in five bins per
// decade of area, each with at least twenty cells. Heights are in metres; the cell's size cancels
// out. Nothing for fewer than three such bins.
std::optional<double> Concavity(const Grid<double>& ground_m, const Grid<double>& water_m,
                                const Flood& flood, const Drainage& drainage);

}  // namespace thalweg::survey
