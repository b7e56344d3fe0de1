#include "server/stages/vegetation.h"

#include "server/stages/host_math.h"

namespace thalweg::stages {
namespace {

// A chance as an integer: 2^24 stands for 1.
kernels::uint Chance(double chance) {
  return static_cast<kernels::uint>(RoundedInt(chance * 16777216.0));
}

float SquaredSlope(double degrees) {
  const double slope = TangentOfDegrees(degrees);
  return KernelFloat(slope * slope);
}

}  // namespace

VegetationStage Compile(const v1::Vegetation& vegetation, const LevelNumbers& level) {
  VegetationStage stage;
  stage.iterations = static_cast<int>(vegetation.iterations());
  stage.params = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
                  .spawn_slope2 = SquaredSlope(vegetation.spawn_slope_deg()),
                  .death_slope2 = SquaredSlope(vegetation.death_slope_deg()),
                  .spawn_flow = RoundedInt(vegetation.spawn_flow() * kBackgroundFlow),
                  .death_flow = RoundedInt(vegetation.death_flow() * kBackgroundFlow),
                  .spawn_chance = Chance(vegetation.spawn_chance()),
                  .death_chance = Chance(vegetation.death_chance()),
                  .spread = KernelFloat(vegetation.spread()),
                  .growth = KernelFloat(vegetation.growth() / kWholeQ16),
                  .tree_line = 0,
                  .inverse_band = 0,
                  .stream = level.stream,
                  .sea_level = level.sea_level,
                  .planes = level.planes};
  if (vegetation.has_tree_line_m()) {
    stage.params.tree_line = RoundedInt(HeightUnits(vegetation.tree_line_m()));
    stage.params.inverse_band = KernelFloat(1.0 / HeightUnits(vegetation.tree_line_band_m()));
  }
  return stage;
}

// It reads water too if the level has it.
LayerAccess AccessOf(const v1::Vegetation& /*vegetation*/, bool /*sea*/) {
  return {.reads = {}, .writes = {Layer::kVegetation}};
}

// What can live at a vertex depends on its neighbours' heights (1), and plants spread one cell an
// iteration.
int Reach(const VegetationStage& stage) { return stage.iterations + 1; }

void Record(const VegetationStage& stage, Recorder& recorder) {
  recorder.Dispatch(Kernel::kVegetationBegin, stage.params, recorder.region().Inset(1));
  recorder.Shrink(1);
  recorder.Exchange(MoversIn(0), 1);
  int plane = 0;
  for (int i = 0; i < stage.iterations; ++i) {
    recorder.Dispatch(Kernel::kVegetationGrow, stage.params, recorder.region().Inset(1), plane, i);
    plane = 1 - plane;
    recorder.Shrink(1);
    recorder.Exchange(MoversIn(plane), 1);
  }
  recorder.Dispatch(Kernel::kVegetationClose, stage.params, recorder.region(), plane);
}

}  // namespace thalweg::stages
