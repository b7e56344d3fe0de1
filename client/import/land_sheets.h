// Converts a raster to the sheets of an elevation file.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "client/import/land_rivers.h"
#include "client/survey/grid.h"
#include "proto/elevation/elevation_file.h"

namespace thalweg::real_land {

// A world's heights are as near to its datum as this.
inline constexpr double kHighestM = 16000;

// The result of an import.
struct Land {
  std::vector<elevation::Sheet> sheets;
  SlopeLaw law;
  // How much depressions were filled so that water flows: the root mean square over all cells of
  // the raster, and the maximum.
  double filled_rms_m = 0;
  double filled_max_m = 0;
};

// Makes the sheets of a raster that has a margin of so many cells, with every 2^step-th vertex for
// the steps 0 to `steps`. Heights are clamped to within 16,000 m of the datum. `progress` is called
// when each step begins.
Land LandOf(survey::Grid<double> ground_m, int margin, double cell_m, int steps,
            std::optional<double> sea_level_m, const std::function<void(int step)>& progress = {});

}  // namespace thalweg::real_land
