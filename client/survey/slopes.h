// How steep the ground is.
#pragma once

#include <array>
#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The percentiles of slopes that are reported.
inline constexpr std::array<int, 6> kSlopePercentiles = {5, 25, 50, 75, 95, 99};

// The percentiles of gradients that are reported.
inline constexpr std::array<int, 4> kGradientPercentiles = {10, 50, 90, 99};

// Slopes that exceed the talus by this many degrees are counted separately.
inline constexpr double kTalusMarginDeg = 5;

struct Slopes {
  // In degrees, in the order of kSlopePercentiles.
  std::array<double, kSlopePercentiles.size()> percentiles_deg = {};
  // The gradient by central differences, in degrees, in the order of kGradientPercentiles.
  std::array<double, kGradientPercentiles.size()> gradients_deg = {};
  // The shares of slopes above the talus, and above the talus plus kTalusMarginDeg. Absent without
  // a talus.
  std::optional<double> over_talus;
  std::optional<double> far_over_talus;
};

// Measures slopes. The slope of a cell is its steepest descent to one of its eight neighbours, 0 in
// a pit, as in thermal erosion. Cells at the edge of the grid are left out. Percentiles are
// interpolated between ranks. Needs at least 3 x 3 heights; they and the cell's size are in metres.
Slopes MeasureSlopes(const Grid<double>& ground_m, double cell_size_m,
                     std::optional<double> talus_deg);

}  // namespace thalweg::survey
