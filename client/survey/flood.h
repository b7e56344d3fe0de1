// A flood that rises from the region's outlets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::survey {

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

}  // namespace thalweg::survey
