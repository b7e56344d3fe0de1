#include "server/stages/ground_lattices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"
#include "shaders/kernels/ground.glsl"

namespace thalweg::stages {

namespace {

// Quaternions of one norm that turn differently.
using FarTurns = std::array<int, 3>;

// Norms over an octave: for a cell of any length there is one with which it is right to 5 %.
const std::array<FarTurns, 8>& FarTurnsInSpace() {
  static const std::array<FarTurns, 8> kTurns = [] {
    using kernels::packedSpaceTurn;
    const auto row = [](int a, int b, int c, int d) {
      return FarTurns{packedSpaceTurn(a, b, c, d), packedSpaceTurn(c, -d, a, b),
                      packedSpaceTurn(d, a, -b, c)};
    };
    return std::array<FarTurns, 8>{{row(3, 2, 2, 1), row(3, 3, 1, 1), row(4, 2, 1, 1),
                                    row(4, 2, 2, 1), row(4, 3, 1, 1), row(4, 3, 2, 1),
                                    row(5, 2, 1, 1), row(4, 3, 2, 2)}};
  }();
  return kTurns;
}

int FarLatticeInSpace(double length_cells, std::uint32_t turn, int finer_levels) {
  const double units = std::ldexp(length_cells, kernels::kSpaceUnitBits);
  int packed = 0;
  int shift = 0;
  double best = 1e9;
  for (const FarTurns& turns : FarTurnsInSpace()) {
    const int norm = kernels::spaceNorm(turns.front());
    int bits = 1;
    while (std::ldexp(1.0, bits) < units * norm / std::numbers::sqrt2) ++bits;
    const double length = std::ldexp(1.0, bits) / norm;
    const double missed = length > units ? length / units : units / length;
    if (missed >= best) continue;
    best = missed;
    packed = turns[turn % turns.size()];
    shift = bits;
  }
  return kernels::farSpaceLattice(packed, shift, std::max(32 - shift - finer_levels, 1));
}

// Quaternions of the norms 25 and 65.
GroundTurns TurnsInSpace(const LevelNumbers& level) {
  using kernels::packedSpaceTurn;
  if (level.number % 2 == 0) {
    return {.a = packedSpaceTurn(4, 2, 2, 1),
            .b = packedSpaceTurn(2, -1, 4, 2),
            .c = packedSpaceTurn(6, 4, 3, 2),
            .d = packedSpaceTurn(4, -2, 3, 6)};
  }
  return {.a = packedSpaceTurn(1, 4, -2, 2),
          .b = packedSpaceTurn(2, 2, 1, -4),
          .c = packedSpaceTurn(3, -6, 2, 4),
          .d = packedSpaceTurn(2, 3, -4, 6)};
}

}  // namespace

GroundTurns TurnsOf(const LevelNumbers& level) {
  using kernels::packedTurn;
  if (level.on_sphere) return TurnsInSpace(level);
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
  const double length_cells = std::max(length_m / CellMetres(level), 1.0);
  if (level.on_sphere) return FarLatticeInSpace(length_cells, turn, level.finer_levels);
  const kernels::Lattice lattice = VertexLattice(length_cells, turn);
  return kernels::farLattice(lattice, std::max(32 - lattice.shift - level.finer_levels, 1));
}

float PerFarTurn(int lattice, const LevelNumbers& level) {
  if (level.on_sphere) return 1.0F / static_cast<float>(kernels::spaceNorm(lattice & 0xffff));
  const kernels::ivec2 turn = kernels::farTurn(lattice);
  const auto square = static_cast<float>(turn.x * turn.x + turn.y * turn.y);
  return kernels::reciprocalSqrt(square);
}

int PackedPair(double first, double second) {
  return kernels::packedPair16(KernelFloat(first), KernelFloat(second));
}

double CellMetres(const LevelNumbers& level) { return level.cell_units / HeightUnits(1); }

}  // namespace thalweg::stages
