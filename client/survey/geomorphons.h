// Landforms by what is seen from them.
#pragma once

#include <array>
#include <string_view>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The ten most common forms, in the order that GRASS numbers them.
inline constexpr std::array<std::string_view, 10> kLandforms = {
    "flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit"};
using LandformShares = std::array<double, kLandforms.size()>;

// Geomorphons (Jasiewicz & Stepinski 2013): in each of eight directions, as far as so many cells,
// ground is above a vertex, below it or level with it, by which of the highest and the lowest line
// of sight is farther from level, and by more than the angle. How many directions are above and
// below makes the form. As GRASS's r.geomorphon has it. The shares of all vertices that are as far
// as that from the edge; all 0 where there are none.
inline constexpr int kLandformSearchCells = 15;
inline constexpr double kLandformFlatDeg = 2;
LandformShares MeasureLandforms(const Grid<double>& ground_m, double cell_size_m);

}  // namespace thalweg::survey
