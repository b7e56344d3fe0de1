#include "server/world/level_program.h"

#include <algorithm>
#include <cmath>

namespace thalweg::world {
namespace {

constexpr double kLatticeStepsPerCell = 64.0;

}  // namespace

int LevelProgram::HaloCells() const {
  int halo = 0;
  for (const Stage& stage : stages) halo += Reach(stage);
  return halo;
}

double CellHeightUnits(double cell_size_m) { return stages::HeightUnits(cell_size_m); }

int LatticeShift(double cell_size_m) {
  return std::max(std::ilogb(CellHeightUnits(cell_size_m) / kLatticeStepsPerCell), 0);
}

}  // namespace thalweg::world
