// How heights are spread.
#pragma once

#include <optional>

#include "client/survey/grid.h"

namespace thalweg::survey {

struct Hypsometry {
  double min_m = 0;
  double max_m = 0;
  double mean_m = 0;
  // The integral of the hypsometric curve, by the elevation-relief ratio, which it equals (Pike &
  // Wilson 1971): (mean - min) / (max - min). Absent on flat ground.
  std::optional<double> integral;
};

// At least one height, in metres.
Hypsometry MeasureHypsometry(const Grid<double>& ground_m);

}  // namespace thalweg::survey
