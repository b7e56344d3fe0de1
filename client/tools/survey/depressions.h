// Measures pits, depressions and lakes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "client/tools/survey/grid.h"

namespace thalweg::survey {

// Returns the lowest vertices of depressions that are deeper than `min_depth` below their lowest
// way out: to a lower depression, to the grid's edge or to a vertex at or below `outlet`. This
// depth is their persistence (Edelsbrunner, Letscher & Zomorodian 2002), which distinguishes a
// basin from a rough bed. Ordered by the heights of their ways out.
std::vector<std::int32_t> DeepPits(const Grid<double>& surface, double outlet, double min_depth);

// Marks a cell without a receiver: water leaves the region there.
inline constexpr std::int32_t kOutlet = -1;

// The ground with its depressions filled to their outlets, and the flood's path.
struct Flood {
  // Metres; never below the ground.
  Grid<double> surface_m;
  // The neighbour that each cell was flooded from, as an index; kOutlet at outlets.
  std::vector<std::int32_t> source;
  // Every cell in the order of flooding: each after its source, so the surface never falls.
  std::vector<std::int32_t> order;
};

// Floods the ground: Priority-flood with flow directions (Barnes, Lehman & Mulla 2014). It fills
// every depression of the ground, in metres, to its lowest way out. Water leaves at the edge of the
// grid, at ground below the sea if there is one, and at the cells of `sinks`. Cells of equal height
// are flooded in the order in which they were found. `walls` has a value for each cell, or none; no
// water comes where it is not 0: such cells are not in the order.
Flood FloodFromOutlets(Grid<double> ground_m, std::optional<double> sea_level_m,
                       std::span<const std::int32_t> sinks = {},
                       std::vector<std::uint8_t> walls = {});

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
