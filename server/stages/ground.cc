#include "server/stages/ground.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "server/stages/ground_forms.h"
#include "server/stages/host_math.h"

namespace thalweg::stages {
namespace {

constexpr std::uint32_t kGroundStream = 0x71000000;

// Formations are so many times longer than they are high.
constexpr double kFormationLength = 5;

// The height of folds for a dip of 1, in their lengths: the slope of smooth noise has this root
// mean square (measured).
constexpr double kFoldHeight = 0.47;

// The heights of folds and formations are held in steps of this many height units.
constexpr double kHeightStep = 4096.0 * 4096.0;

// Ground is made of parts of cells. In larger cells than 1,024 m, where nothing of it is left to
// see, they do not grow, so that no height overflows.
constexpr double kLargestCell = 1024.0 * 65536;

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

// Depth in height units and width in cells of a river that drains 1 km2, and the lattice and stream
// of the first level, which displaces the sources.
kernels::CourseParams CourseOf(const v1::Ground& ground, const kernels::GroundParams& params,
                               const LevelNumbers& level) {
  const double cell_m = CellMetres(level);
  const int depth = level.ground_levels_above + 1;
  const double source_m = std::ldexp(cell_m, depth);
  const double from_cells = std::max(ground.rivers().from_area_m2() / (source_m * source_m), 1.0);
  LevelNumbers first = level;
  first.number -= level.ground_levels_above;
  // The ways of sources keep to their grid, and a hillside's water would too: beside rivers none
  // shows.
  constexpr double kBankCells = 8;
  const double bank_flow = std::ldexp(std::min(from_cells, kBankCells) * kBackgroundFlow, depth);
  return {
      .planes = level.planes,
      .parent_side = 0,
      .parent_size = 0,
      .depth = depth,
      .sources = 0,
      .parent_sources = 0,
      .stream = kGroundStream + kernels::kGroundStreams * static_cast<std::uint32_t>(first.number),
      .turn = TurnsOf(first).a,
      .displacement = params.soil,
      .log_area = kernels::logarithm(KernelFloat(source_m * source_m * 1e-6)),
      .from_area = kernels::areaCode(static_cast<std::uint64_t>(from_cells)),
      .width = KernelFloat(ground.rivers().width_m() / cell_m),
      .bed = KernelFloat(HeightUnits(ground.rivers().depth_m())),
      .bank_flow = static_cast<int>(std::min(bank_flow, std::ldexp(1.0, 28)))};
}

// Sources in a row of those that a window with a side of this many vertices keeps.
int Sources(int side, int depth, int margin) { return ((side - 1) >> depth) + 2 + 2 * margin; }

// Rivers: their curves, which of them are near, and the ground around them.
void RecordRivers(const GroundStage& stage, Recorder& recorder) {
  kernels::CourseParams params = stage.course;
  const WindowRegion window = recorder.region();
  const int side = recorder.windows().side;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  params.sources = Sources(side, params.depth, stage.source_margin);
  if (params.depth > 1) {
    params.parent_sources = Sources(recorder.parent().side, params.depth - 1, stage.source_margin);
  }
  const int tiles = kernels::courseTiles(side);
  // Two numbers a source and a list a tile, in the place of one number a vertex.
  if (2 * params.sources * params.sources > side * side ||
      tiles * tiles * (kernels::kCourseTileRivers + 1) > side * side) {
    std::abort();
  }
  recorder.Dispatch(Kernel::kGroundCourses, params, {0, params.sources - 1});
  recorder.Dispatch(Kernel::kGroundTiles, params, {0, tiles - 1});
  recorder.Dispatch(Kernel::kGroundRivers, params, window);
}

}  // namespace

GroundStage Compile(const v1::Ground& ground, const LevelNumbers& level) {
  const double cell_m = CellMetres(level);
  const auto number = static_cast<std::uint32_t>(level.number);
  const GroundTurns turns = TurnsOf(level);
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
  GroundStage stage{
      .is_first = level.ground_levels_above == 0,
      .has_rivers = ground.has_rivers() && (level.planes & (1 << kernels::kLayerWay)) != 0,
      .source_margin = kernels::sourceMargin(level.on_sphere),
      .course = {},
      .params =
          {.planes = level.planes,
           .parent_side = 0,
           .parent_size = 0,
           .stream = kGroundStream + kernels::kGroundStreams * number,
           .cell = KernelFloat(std::min(level.cell_units, kLargestCell)),
           .turn_a = turns.a,
           .turn_b = turns.b,
           .turn_c = turns.c,
           .turn_d = turns.d,
           .folds = FarLattice(fold_m, 1, level),
           .formations = FarLattice(kFormationLength * formation_m, 3, level),
           .patches = FarLattice(ground.has_rock() ? ground.rock().patch_m() : 1, 5, level),
           .rock = ground.has_rock() ? PackedPair(ground.rock().slope(), ground.rock().variation())
                                     : PackedPair(kNowhere, 0),
           .beds = ground.has_beds() ? PackedPair(ground.beds().step(), ground.beds().thickness())
                                     : PackedPair(0, 2),
           .dip = PackedPair(kFoldHeight * dip * HeightUnits(fold_m) / kHeightStep,
                             HeightUnits(formation_m) / kHeightStep),
           .gully = has_gullies ? PackedPair(ground.gullies().depth(), ground.gullies().slope())
                                : PackedPair(0, 0),
           .block = PackedPair(ground.has_joints() ? ground.joints().height() : 0,
                               StonesACell(ground, cell_m)),
           .soil = PackedPair(
               ground.has_soil() ? kHummockPeak * kHummockCells * ground.soil().roughness() : 0,
               ground.displacement())},
      .forms = FormsOf(ground, level)};
  if (stage.has_rivers) stage.course = CourseOf(ground, stage.params, level);
  return stage;
}

// A vertex depends on its own parent vertices only.
int Reach(const GroundStage& /*stage*/) { return 0; }

void Record(const GroundStage& stage, Recorder& recorder) {
  if (recorder.parent().side == 0) return;
  kernels::GroundParams params = stage.params;
  params.parent_side = recorder.parent().side;
  params.parent_size = recorder.parent().size;
  const WindowRegion window = recorder.region();
  // Vertices of the parent beside the window's: the last pair has the window's last vertex also if
  // the first one is odd.
  const WindowRegion parents{window.first >> 1, (window.last + 1) >> 1};
  // Interpolation between rows reads two rows on either side.
  recorder.Dispatch(Kernel::kGroundSlopes, params, parents, {parents.first, parents.last + 3}, 0,
                    parents.last + 1);
  if (stage.is_first) recorder.Dispatch(Kernel::kGroundDisplace, params, window);
  recorder.Dispatch(Kernel::kGround, params, window, stage.is_first ? 1 : 0);
  RecordForms(stage.forms, recorder);
  // Rivers come last: they run over all that the ground has.
  if (stage.has_rivers) RecordRivers(stage, recorder);
}

}  // namespace thalweg::stages
