// How steep the ground is.
#pragma once

#include <array>
#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The percentiles that are reported of slopes.
inline constexpr std::array<int, 6> kSlopePercentiles = {5, 25, 50, 75, 95, 99};

// The percentiles that are reported of gradients.
inline constexpr std::array<int, 4> kGradientPercentiles = {10, 50, 90, 99};

// Slopes this far over the talus are counted again, in degrees.
inline constexpr double kTalusMarginDeg = 5;

struct Slopes {
  // In degrees, in the order of kSlopePercentiles.
  std::array<double, kSlopePercentiles.size()> percentiles_deg = {};
  // Of the gradient by central differences, in degrees, in the order of kGradientPercentiles.
  std::array<double, kGradientPercentiles.size()> gradients_deg = {};
  // The shares of slopes over the talus, and over the talus and kTalusMarginDeg. Absent without
  // one.
  std::optional<double> over_talus;
  std::optional<double> far_over_talus;
};

// The slope of a cell is its steepest descent to one of its eight neighbours, 0 in a pit: thermal
// erosion uses the same. Cells at the edge of the grid are left out. Percentiles are interpolated
// between ranks. At least 3 x 3 heights; they and the cell's size are in metres.
Slopes MeasureSlopes(const Grid<double>& ground_m, double cell_size_m,
                     std::optional<double> talus_deg);

}  // namespace thalweg::survey
