#include "server/world/level_program.h"

#include <algorithm>
#include <cmath>

namespace thalweg::world {
namespace {

constexpr double kHeightUnitsPerMetre = 65536.0;
constexpr double kLatticeStepsPerCell = 64.0;

// Two cells a step, and one for the landing. What vertex c settles depends on the droplets whose
// cell has c as a corner after the move: they stand within 1 of c. A move is at most one cell, so
// they stood within 2 before it, and the corners of the cell that they stood in, whose ground they
// read and in whose settlement of the step before they shared, are within 2 of c. What else such a
// droplet carries was already added to those corners' sums a step before, so it depends on nothing
// that they do not. The settlement's own 3 x 3 read is within 1. A droplet that lands adds to its
// cell's north-west corner what the four corners settled: one more.
int Reach(const DropletStage& stage) { return 2 * stage.steps + 1; }

// Two cells an iteration. A vertex gains from its neighbours (1), and where their slide goes
// depends on the neighbours of those (2).
int Reach(const ThermalStage& stage) { return 2 * stage.iterations; }

// The taps of the triangle stand less than a radius away, in each axis.
int Reach(const ReboundStage& stage) { return stage.params.radius - 1; }

// A path of 2^n steps ends so far away, and whether it ends in a pit depends on the neighbours of
// the end: 2^n + 1. The parent's surface has no reach: it is not of this level. Each filling reads
// the surfaces of neighbours.
int Reach(const PoolsStage& stage) {
  return (stage.freeboard ? 0 : (1 << stage.trace_bits) + 1) + stage.fills;
}

// After the filling, a receiver is found among neighbours (1), and stays. Drainage and what carves
// move one cell an iteration, and an incision reads its receiver's height: one cell each.
int Reach(const FluvialStage& stage) {
  return Reach(stage.filling) + 1 + stage.gathers + stage.iterations;
}

// An iteration reads neighbours.
int Reach(const BlurStage& stage) { return stage.iterations; }

// StepReach cells a step, and one for the landing. What vertex c settles in a step depends on the
// snowballs that stood in a cell that has c as a corner: within 1 of c. They read the corners of
// the cell that they look at, up to an offset of R, rounded up, further: within 1 + R of c; and
// they shared in what the corners of the cell that they left before settled a step before:
// within 2. So a step reaches max(1 + R, 2). What such a snowball carries and where it stands
// depends on its earlier steps: j steps before it stood within 1 + j of c, read within 1 + R + j,
// and shared within 2 + j; the steps since reach j times max(1 + R, 2), which is more. The
// settlement's own 3 x 3 read is within 1. A snowball that lands adds to the north-west corner of
// the cell that it left last what that cell's corners settled: one more. One that stopped took its
// share a step before at the latest, and adds it within 2 of that.
int Reach(const SnowballStage& stage) { return stage.StepReach() * stage.steps + 1; }

// Two cells a step, and one for each wind. What vertex c settles depends on the drops that offered
// at c: they stood on c or beside it, within 1, read their neighbours, within 2, and shared in what
// the vertex settled where they had offered before: where they stand or where they came from,
// within 2. j steps before they stood within 1 + j, so what they read and shared in then was within
// 2 + j, and the steps since reach 2 j. The settlement's own 3 x 3 read is within 1. What a
// drop gained where it offered last is washed kWashSpread further at most.
int Reach(const RaindropStage& stage) {
  const int winds = stage.wind_period > 0 ? stage.steps / stage.wind_period : 0;
  return 2 * stage.steps + winds + kernels::kWashSpread;
}

// A row is searched so far to both sides, and then the rows so far to both sides.
int Reach(const ShoreStage& stage) { return stage.params.radius; }

// As a run of droplets: streams and water are read where the ground is, at the corners of a
// droplet's cell and in the 3 x 3 around a vertex that settles.
int Reach(const HydrologyStage& stage) { return 2 * stage.steps + 1; }

// What may live at a vertex depends on its neighbours' heights (1), and plants spread one cell an
// iteration.
int Reach(const VegetationStage& stage) { return stage.iterations + 1; }

// As a run of droplets. The corners of the cell that a particle reached, whose plane it meets, are
// corners with the vertices that it adds to: within 1 of what is settled.
int Reach(const CollisionStage& stage) { return 2 * stage.steps + 1; }

}  // namespace

int SnowballStage::StepReach() const { return std::max(1 + ((params.radius + 255) >> 8), 2); }

int ReachCells(const Stage& stage) {
  return std::visit([](const auto& kind) { return Reach(kind); }, stage);
}

int LevelProgram::HaloCells() const {
  int halo = 0;
  for (const Stage& stage : stages) halo += ReachCells(stage);
  return halo;
}

double CellHeightUnits(double cell_size_m) { return cell_size_m * kHeightUnitsPerMetre; }

int LatticeShift(double cell_size_m) {
  return std::max(std::ilogb(CellHeightUnits(cell_size_m) / kLatticeStepsPerCell), 0);
}

}  // namespace thalweg::world
