#include "server/stages/noise_lattice.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "server/stages/host_math.h"

namespace thalweg::stages {
namespace {

constexpr double kUnitsPerCell = 256.0;  // positions are in 1/256 of a cell
constexpr double kLongestTurn = 31.0;    // a bound for the kernel's 64-bit products

struct Direction {
  double x;
  double y;
};

// Unit vectors over the whole circle. A lattice does not change by a quarter turn, so they are
// spread evenly over a quadrant, from 8 to 82 degrees. None lies along an axis.
constexpr std::array<Direction, 8> kDirections = {{
    {0.990268, 0.139173},
    {0.318487, -0.947927},
    {-0.873408, -0.486989},
    {-0.638960, 0.769240},
    {0.638960, 0.769240},
    {0.873408, -0.486989},
    {-0.318487, -0.947927},
    {-0.990268, 0.139173},
}};

struct Turn {
  int x = 0;
  int y = 0;
};

// The integer vector near a direction with the length nearest to the wanted one. Plain rounding
// would miss a wavelength by up to 4.5 %. An error of a few degrees is not visible.
Turn NearestTurn(double length, const Direction& direction) {
  constexpr double kAnglePenalty = 0.1;
  const int middle_x = static_cast<int>(std::floor(length * direction.x + 0.5));
  const int middle_y = static_cast<int>(std::floor(length * direction.y + 0.5));
  Turn best;
  double best_cost = 1e9;
  for (int y = middle_y - 1; y <= middle_y + 1; ++y) {
    for (int x = middle_x - 1; x <= middle_x + 1; ++x) {
      const double found = std::sqrt(static_cast<double>(x * x + y * y));
      if (found > kLongestTurn) continue;
      const double dx = x - length * direction.x;
      const double dy = y - length * direction.y;
      const double missed = found > length ? found - length : length - found;
      const double cost = missed + kAnglePenalty * std::sqrt(dx * dx + dy * dy);
      if (cost < best_cost) {
        best_cost = cost;
        best = {x, y};
      }
    }
  }
  return best;
}

// A lattice cell has 2^shift / length units of a position. The larger the length, the more exact.
struct Scale {
  double length = 0;
  int shift = 0;
};

Scale ScaleOf(double wavelength_cells) {
  Scale scale{.length = 1.0 / (wavelength_cells * kUnitsPerCell)};
  while (scale.length * 2.0 < kLongestTurn) {
    scale.length *= 2.0;
    ++scale.shift;
  }
  return scale;
}

}  // namespace

kernels::Lattice TurnedLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream) {
  const Scale scale = ScaleOf(wavelength_cells);
  const Turn nearest = NearestTurn(scale.length, kDirections[turn % kDirections.size()]);
  return {.turn_x = nearest.x, .turn_y = nearest.y, .shift = scale.shift, .stream = stream};
}

kernels::Lattice VertexLattice(double wavelength_cells, std::uint32_t turn) {
  return TurnedLattice(wavelength_cells / kUnitsPerCell, turn, 0);
}

kernels::Lattice SpaceLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream) {
  const Scale scale = ScaleOf(wavelength_cells);
  return {.turn_x = RoundedInt(scale.length),
          .turn_y = static_cast<int>(turn % kernels::kSpaceTurns),
          .shift = scale.shift,
          .stream = stream};
}

kernels::Lattice NoiseLattice(bool in_space, double wavelength_cells, std::uint32_t turn,
                              std::uint32_t stream) {
  return in_space ? SpaceLattice(wavelength_cells, turn, stream)
                  : TurnedLattice(wavelength_cells, turn, stream);
}

void RecordTable(const kernels::Lattice& lattice, int streams, Recorder& recorder) {
  const Windows& windows = recorder.windows();
  if (windows.on_sphere) return;
  const int side = kernels::tableSide(lattice, windows.side);
  // Two numbers a gradient, in the place of one number a vertex.
  if (2 * streams * side * side > windows.side * windows.side) std::abort();
  recorder.Dispatch(Kernel::kNoiseTable, kernels::NoiseTableParams{lattice}, {0, side - 1},
                    {0, streams * side - 1});
}

}  // namespace thalweg::stages
