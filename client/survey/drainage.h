// Where water flows, and how much of the region drains through each cell.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/flood.h"

namespace thalweg::survey {

// A tree of drainage: the water of each cell goes to one of its neighbours, or leaves the region.
struct Drainage {
  int width = 0;
  int height = 0;
  // The cell that each cell drains to, as an index; kOutlet where water leaves.
  std::vector<std::int32_t> receiver;
  // Every cell, each after its receiver.
  std::vector<std::int32_t> order;
  // The number of cells that drain through each cell, including itself.
  std::vector<std::int32_t> area;
  // The length in cells of the longest way of water to each cell.
  std::vector<double> length;

  // Returns the length in cells of a cell's step to its receiver. The cell must have a receiver.
  double StepLength(std::int32_t cell) const;
};

// Routes water by D8 (O'Callaghan & Mark 1984) on the filled surface: each cell drains to the
// neighbour of steepest descent. Where the filled surface is flat, water follows the flood's path
// backwards, which is the shortest way to the flat's outlet.
Drainage RouteDrainage(const Flood& flood);

// Computes area and length of a tree with known receivers and order.
void Accumulate(Drainage& drainage);

}  // namespace thalweg::survey
