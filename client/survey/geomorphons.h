// Classifies landforms by their lines of sight.
#pragma once

#include <array>
#include <string_view>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The ten most common forms, in the order that GRASS numbers them.
inline constexpr std::array<std::string_view, 10> kLandforms = {
    "flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit"};
using LandformShares = std::array<double, kLandforms.size()>;

// Measures geomorphons (Jasiewicz & Stepinski 2013), as GRASS's r.geomorphon does. In each of eight
// directions, within the search radius, ground is above a vertex, below it or level with it: the
// highest or the lowest line of sight decides, whichever is farther from level, if by more than the
// angle. The numbers of directions above and below give the form. Returns the shares among vertices
// at least the radius from the edge; all 0 without such vertices.
inline constexpr int kLandformSearchCells = 15;
inline constexpr double kLandformFlatDeg = 2;
LandformShares MeasureLandforms(const Grid<double>& ground_m, double cell_size_m);

}  // namespace thalweg::survey
