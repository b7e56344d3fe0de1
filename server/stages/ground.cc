#include "server/stages/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "server/stages/host_math.h"
#include "server/stages/noise_lattice.h"

namespace thalweg::stages {
namespace {

constexpr std::uint32_t kGroundStream = 0x71000000;

// Vectors of the length 25 and of the length 65: lattices with these turns have the same cells. A
// level uses two of each, and the next level the others, so that neighbouring levels are turned
// differently.
struct Vector {
  int x;
  int y;
};
constexpr std::array<Vector, 4> kTurns25 = {{{24, 7}, {7, 24}, {20, 15}, {15, 20}}};
constexpr std::array<Vector, 4> kTurns65 = {{{63, 16}, {52, 39}, {33, 56}, {25, 60}}};

// Formations are so many times longer than they are high.
constexpr double kFormationLength = 5;

// The height of folds for a dip of 1, in their lengths: the slope of smooth noise has this root
// mean square (measured).
constexpr double kFoldHeight = 0.47;

// The heights of folds and formations are held in steps of this many height units.
constexpr double kHeightStep = 4096.0 * 4096.0;

int Turned(const Vector& turn) { return kernels::packedTurn(turn.x, turn.y); }

int Pair(double first, double second) {
  return kernels::packedPair16(KernelFloat(first), KernelFloat(second));
}

// A lattice with cells of a length in metres. All levels know the same number of its cells, or a
// feature would be another one at the next level: the finest level decides.
int FarLattice(double length_m, std::uint32_t turn, const LevelNumbers& level) {
  const double cell_m = level.cell_units / HeightUnits(1);
  const kernels::Lattice lattice = VertexLattice(std::max(length_m / cell_m, 1.0), turn);
  return kernels::farLattice(lattice, std::max(32 - lattice.shift - level.finer_levels, 1));
}

// The part of a lattice's cells that have a stone. Stones of all sizes cover about the same part of
// the ground, but large ones are rarer (Turcotte 1997: sizes of fragments follow a power law).
double StonesACell(const v1::Ground& ground, double cell_m) {
  if (!ground.has_stones()) return 0;
  constexpr double kLatticeCells = 8;
  constexpr double kChance = 7.2;
  const double size_m = std::max(kLatticeCells * cell_m, 0.5);
  // size^-0.7, to a part in 10^3 on every machine.
  const float rarer = kernels::power(KernelFloat(size_m), -0.7f);
  return std::min(ground.stones().cover() * kChance * static_cast<double>(rarer), 4.0);
}

}  // namespace

GroundStage Compile(const v1::Ground& ground, const LevelNumbers& level) {
  const double cell_m = level.cell_units / HeightUnits(1);
  const auto number = static_cast<std::uint32_t>(level.number);
  const std::size_t pair = 2 * (number & 1);
  // A part that is absent has no height. Rock that is absent shows nowhere.
  constexpr double kNowhere = 15;
  constexpr double kHummockCells = 5;
  constexpr double kHummockPeak = 3.6;
  const bool has_gullies =
      ground.has_gullies() &&
      static_cast<double>(kernels::kGullyCells) * cell_m >= ground.gullies().min_m();
  const double fold_m = ground.has_beds() ? ground.beds().fold_m() : 1;
  const double dip = ground.has_beds() ? ground.beds().dip() : 0;
  const double formation_m = ground.has_rock() ? ground.rock().formation_m() : 1;
  return {.is_first = level.ground_levels_above == 0,
          .params = {
              .planes = level.planes,
              .parent_side = 0,
              .parent_size = 0,
              .stream = kGroundStream + kernels::kGroundStreams * number,
              .cell = KernelFloat(level.cell_units),
              .turn_a = Turned(kTurns25[pair]),
              .turn_b = Turned(kTurns25[pair + 1]),
              .turn_c = Turned(kTurns65[pair]),
              .turn_d = Turned(kTurns65[pair + 1]),
              .folds = FarLattice(fold_m, 1, level),
              .formations = FarLattice(kFormationLength * formation_m, 3, level),
              .patches = FarLattice(ground.has_rock() ? ground.rock().patch_m() : 1, 5, level),
              .rock = ground.has_rock() ? Pair(ground.rock().slope(), ground.rock().variation())
                                        : Pair(kNowhere, 0),
              .beds = ground.has_beds() ? Pair(ground.beds().step(), ground.beds().thickness())
                                        : Pair(0, 2),
              .dip = Pair(kFoldHeight * dip * HeightUnits(fold_m) / kHeightStep,
                          HeightUnits(formation_m) / kHeightStep),
              .gully = has_gullies ? Pair(ground.gullies().depth(), ground.gullies().slope())
                                   : Pair(0, 0),
              .block = Pair(ground.has_joints() ? ground.joints().height() : 0,
                            StonesACell(ground, cell_m)),
              .soil = Pair(
                  ground.has_soil() ? kHummockPeak * kHummockCells * ground.soil().roughness() : 0,
                  ground.displacement())}};
}

// A vertex depends on its own parent vertices only.
int Reach(const GroundStage& /*stage*/) { return 0; }

void Record(const GroundStage& stage, Recorder& recorder) {
  if (recorder.parent().side == 0) return;
  kernels::GroundParams params = stage.params;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  const Region window = recorder.region();
  // Vertices of the parent beside the window's: the last pair has the window's last vertex also if
  // the first one is odd.
  const Region parents{window.first >> 1, (window.last + 1) >> 1};
  // Interpolation between rows reads two rows on either side.
  recorder.Dispatch(Kernel::kGroundSlopes, params, parents, {parents.first, parents.last + 3}, 0,
                    parents.last + 1);
  if (stage.is_first) recorder.Dispatch(Kernel::kGroundDisplace, params, window);
  recorder.Dispatch(Kernel::kGround, params, window, stage.is_first ? 1 : 0);
}

}  // namespace thalweg::stages
