#include "server/world/level_program.h"

#include <algorithm>
#include <cmath>

namespace thalweg::world {
namespace {

constexpr double kLatticeStepsPerCell = 64.0;

}  // namespace

int LevelProgram::HaloCells() const {
  if (surface->IsOneBlock(level)) return 0;
  int halo = 0;
  for (const Stage& stage : stages) halo += Reach(stage);
  return halo;
}

std::span<const kernels::BaseInstruction> LevelProgram::base() const {
  return std::span(instructions).first(static_cast<std::size_t>(base_size));
}

std::span<const kernels::BaseInstruction> LevelProgram::height_curve() const {
  return std::span(instructions).subspan(static_cast<std::size_t>(base_size));
}

double CellHeightUnits(double cell_size_m) { return stages::HeightUnits(cell_size_m); }

int LatticeShift(double cell_size_m) {
  return std::max(std::ilogb(CellHeightUnits(cell_size_m) / kLatticeStepsPerCell), 0);
}

}  // namespace thalweg::world
