// The law of slope and drainage area.
#pragma once

#include <optional>

#include "client/survey/drainage.h"
#include "client/survey/flood.h"
#include "client/survey/grid.h"

namespace thalweg::survey {

// Cells that drain as many cells as this and more are channels.
inline constexpr int kChannelArea = 100;

// Theta of slope = k * area^-theta (Flint 1974): how concave rivers are. Slopes are those of the
// steps of the drainage; only channels count, and no step from or to a cell that standing water or
// the filling of a depression covers. The line is fitted to the means of both logarithms over five
// bins a decade of area with twenty cells or more in each. Heights are in metres, the cell's size
// cancels. Nothing if there are fewer than three such bins.
std::optional<double> Concavity(const Grid<double>& ground_m, const Grid<double>& water_m,
                                const Flood& flood, const Drainage& drainage);

}  // namespace thalweg::survey
