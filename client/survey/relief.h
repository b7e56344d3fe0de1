// How much the ground rises within walking distance.
#pragma once

#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The side of the square that relief is measured in, in metres.
inline constexpr double kReliefSideM = 1000;

// Returns the median, over all vertices, of the difference between the highest and the lowest
// ground in a square of kReliefSideM around the vertex, at least 3 x 3 cells. Heights and cell are
// in metres. Nothing if the square is larger than the grid.
std::optional<double> MedianRelief(const Grid<double>& ground_m, double cell_size_m);

}  // namespace thalweg::survey
