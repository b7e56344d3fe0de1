#include "server/world/level_program.h"

#include <algorithm>
#include <cmath>

namespace thalweg::world {
namespace {

constexpr double kLatticeStepsPerCell = 64.0;

// Vertex x is interpolated from the parent's floor(x/2) - 1 to floor(x/2) + 2. A vertex that is
// kept more than that is needed, so that code that reads a surface needs no special case at its
// rim.
constexpr int kInterpolationReach = 3;

}  // namespace

int LevelProgram::HaloCells() const {
  if (surface->IsOneBlock(level)) return 0;
  int halo = 0;
  for (const Stage& stage : stages) halo += Reach(stage);
  return halo;
}

int LevelProgram::ParentReachCells() const {
  int reach = kInterpolationReach;
  for (const Stage& stage : stages) reach = std::max(reach, ParentReach(stage));
  return reach;
}

bool LevelProgram::StartsWithStage() const {
  return !stages.empty() && StartsLevel(stages.front());
}

std::span<const kernels::BaseInstruction> LevelProgram::base() const {
  return std::span(instructions).first(static_cast<std::size_t>(base_size));
}

std::span<const kernels::BaseInstruction> LevelProgram::height_curve() const {
  return std::span(instructions).subspan(static_cast<std::size_t>(base_size));
}

std::span<const kernels::BaseInstruction> LevelProgram::CurveOfBlocks() const {
  return keeps_shown_heights ? std::span<const kernels::BaseInstruction>() : height_curve();
}

double CellHeightUnits(double cell_size_m) { return stages::HeightUnits(cell_size_m); }

int LatticeShift(double cell_size_m) {
  return std::max(std::ilogb(CellHeightUnits(cell_size_m) / kLatticeStepsPerCell), 0);
}

}  // namespace thalweg::world
