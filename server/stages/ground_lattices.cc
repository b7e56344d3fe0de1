#include "server/stages/ground_lattices.h"

#include <algorithm>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "shaders/kernels/ground.glsl"

namespace thalweg::stages {

GroundTurns TurnsOf(const LevelNumbers& level) {
  using kernels::packedTurn;
  if (level.number % 2 == 0) {
    return {.a = packedTurn(24, 7),
            .b = packedTurn(7, 24),
            .c = packedTurn(63, 16),
            .d = packedTurn(52, 39)};
  }
  return {.a = packedTurn(20, 15),
          .b = packedTurn(15, 20),
          .c = packedTurn(33, 56),
          .d = packedTurn(25, 60)};
}

int FarLattice(double length_m, std::uint32_t turn, const LevelNumbers& level) {
  const kernels::Lattice lattice = VertexLattice(std::max(length_m / CellMetres(level), 1.0), turn);
  return kernels::farLattice(lattice, std::max(32 - lattice.shift - level.finer_levels, 1));
}

int PackedPair(double first, double second) {
  return kernels::packedPair16(KernelFloat(first), KernelFloat(second));
}

double CellMetres(const LevelNumbers& level) { return level.cell_units / HeightUnits(1); }

}  // namespace thalweg::stages
