#include "server/stages/level_numbers.h"

#include <algorithm>
#include <cmath>

#include "server/stages/host_math.h"
#include "shaders/kernels/droplet.glsl"

namespace thalweg::stages {
namespace {

// A cell's side has at least 2^25 grains, so that a grain is far below what a step moves.
constexpr int kGrainBitsPerCell = 25;

}  // namespace

Grain GrainOf(const LevelNumbers& level) {
  const int bits = std::max(0, kGrainBitsPerCell - std::ilogb(level.cell_units));
  return {bits, std::ldexp(level.cell_units, bits)};
}

float CellsPerParcel(const Grain& grain) {
  return KernelFloat((1 << kernels::kGrainsPerParcelBits) / grain.per_cell);
}

}  // namespace thalweg::stages
