// The unit of sediment at a level: ground below a height unit is counted in grains.
#pragma once

#include "server/stages/level_numbers.h"

namespace thalweg::stages {

struct Grain {
  int bits;         // a height unit is 2^bits grains
  double per_cell;  // grains in a column as high as a cell's side
};

Grain GrainOf(const LevelNumbers& level);

// The height of a parcel, the unit that movers carry, in cells' sides.
float CellsPerParcel(const Grain& grain);

}  // namespace thalweg::stages
