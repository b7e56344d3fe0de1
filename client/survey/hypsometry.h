// How heights are distributed.
#pragma once

#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

struct Hypsometry {
  double min_m = 0;
  double max_m = 0;
  double mean_m = 0;
  // The integral of the hypsometric curve, computed as the elevation-relief ratio, which equals it
  // (Pike & Wilson 1971): (mean - min) / (max - min). Absent on flat ground.
  std::optional<double> integral;
};

// Needs at least one height, in metres.
Hypsometry MeasureHypsometry(const Grid<double>& ground_m);

}  // namespace thalweg::survey
