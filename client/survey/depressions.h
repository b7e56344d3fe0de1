// Pits, depressions and lakes.
#pragma once

#include <optional>

#include "client/survey/flood.h"
#include "client/survey/grid.h"

namespace thalweg::survey {

// The surface of standing water at each vertex in metres, equal to the ground where it is dry: the
// highest of the ground, of water_m if it is not null, and of the sea if there is one. water_m has
// the ground's shape.
Grid<double> StandingWater(const Grid<double>& ground_m, const Grid<double>* water_m,
                           std::optional<double> sea_level_m);

// A share of the region's cells, 0 to 1, and the part of it that no standing water covers. Both are
// shares of all cells.
struct CellShare {
  double all = 0;
  double outside_lakes = 0;
};

// The share of cells that are lower than their eight neighbours, of all cells that have eight.
CellShare PitShare(const Grid<double>& ground_m, const Grid<double>& water_m);

// The cells whose filled surface is over the ground.
CellShare DepressionShare(const Grid<double>& ground_m, const Grid<double>& water_m,
                          const Flood& flood);

// The cells under standing water.
double WetShare(const Grid<double>& ground_m, const Grid<double>& water_m);

struct Lakes {
  int count = 0;
  // The largest difference of level within one lake.
  double largest_spread_m = 0;
};

// Lakes are cells under standing water that touch, at a corner or an edge; water at or below sea
// level does not count.
Lakes MeasureLakes(const Grid<double>& ground_m, const Grid<double>& water_m,
                   std::optional<double> sea_level_m = std::nullopt);

}  // namespace thalweg::survey
