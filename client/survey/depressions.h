// Measures pits, depressions and lakes.
#pragma once

#include <optional>

#include "client/survey/flood.h"
#include "client/survey/grid.h"

namespace thalweg::survey {

// Returns the height of the surface of water or ground at each vertex, in metres: the highest of
// the ground, of water_m if it is not null, and of the sea if there is one. water_m has the
// ground's shape.
Grid<double> StandingWater(const Grid<double>& ground_m, const Grid<double>* water_m,
                           std::optional<double> sea_level_m);

// A share of the region's cells, and the part of it outside standing water. Both are shares of all
// cells, 0 to 1.
struct CellShare {
  double all = 0;
  double outside_lakes = 0;
};

// Returns the share of cells lower than their eight neighbours, among cells that have eight.
CellShare PitShare(const Grid<double>& ground_m, const Grid<double>& water_m);

// Returns the share of cells whose filled surface is above the ground.
CellShare DepressionShare(const Grid<double>& ground_m, const Grid<double>& water_m,
                          const Flood& flood);

// Returns the share of cells under standing water.
double WetShare(const Grid<double>& ground_m, const Grid<double>& water_m);

struct Lakes {
  int count = 0;
  // The largest difference between water levels within one lake.
  double largest_spread_m = 0;
};

// Measures lakes: cells under standing water that touch at a corner or an edge. Water at or below
// sea level does not count.
Lakes MeasureLakes(const Grid<double>& ground_m, const Grid<double>& water_m,
                   std::optional<double> sea_level_m = std::nullopt);

}  // namespace thalweg::survey
