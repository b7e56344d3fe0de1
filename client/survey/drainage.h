// Where water runs, and how much of the region drains through each cell.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/flood.h"

namespace thalweg::survey {

// A tree of drainage: each cell's water goes to one of its neighbours, or leaves.
struct Drainage {
  int width = 0;
  int height = 0;
  // The cell that each cell drains to, as an index; kOutlet where water leaves.
  std::vector<std::int32_t> receiver;
  // Every cell, each after its receiver.
  std::vector<std::int32_t> order;
  // The cells that drain through each cell, itself included.
  std::vector<std::int32_t> area;
  // The length in cells of the longest way that water takes to each cell.
  std::vector<double> length;

  // The length in cells of a cell's step to its receiver. The receiver must be a cell.
  double StepLength(std::int32_t cell) const;
};

// D8 routing (O'Callaghan & Mark 1984) on the filled surface: each cell drains to the neighbour of
// steepest descent. Where the filled surface is flat, water follows the flood's path backwards,
// which is the shortest way to the flat's outlet.
Drainage RouteDrainage(const Flood& flood);

// Finds area and length of a tree whose receivers and order are known.
void Accumulate(Drainage& drainage);

}  // namespace thalweg::survey
