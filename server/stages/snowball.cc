#include "server/stages/snowball.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/mover.h"

namespace thalweg::stages {
namespace {

// How many cells the settled region shrinks by in each step.
int StepReach(const SnowballStage& stage) {
  return std::max(1 + ((stage.params.radius + 255) >> 8), 2);
}

}  // namespace

SnowballStage Compile(const v1::Snowball& snowball, const LevelNumbers& level) {
  const Grain grain = GrainOf(level);
  return {
      .steps = static_cast<int>(snowball.steps()),
      .ramp_q16 = RoundedInt(snowball.ramp() * kWholeQ16),
      .traffic_q16 = TrafficQ16(snowball.steps(), snowball.density()),
      .params = {
          .inverse_cell = KernelFloat(1.0 / level.cell_units),
          .friction = KernelFloat(snowball.friction()),
          .speed = KernelFloat(snowball.speed()),
          .flat_slope2 = KernelFloat(snowball.flat_slope() * snowball.flat_slope()),
          .erosion = KernelFloat(snowball.erosion()),
          .deposition = KernelFloat(snowball.deposition()),
          .limit = KernelFloat(snowball.limit()),
          .wishes_per_cell = KernelFloat(std::ldexp(grain.per_cell, -kernels::kGrainsPerWishBits)),
          .grains_per_unit = KernelFloat(std::ldexp(1.0, grain.bits)),
          .grain_bits = grain.bits,
          .radius = RoundedInt(snowball.radius() * 256.0),
          .births = RoundedInt(snowball.density() * kWholeQ16),
          .stream = level.stream,
      }};
}

// StepReach cells a step, and one for the landing. What vertex c settles in a step depends on the
// snowballs that stood in a cell that has c as a corner: within 1 of c. They read the corners of
// the cell that they look at, which is an offset of R cells further, rounded up: within 1 + R of c.
// They shared in what the corners of the cell that they left before settled a step before: within
// 2. So a step reaches max(1 + R, 2). What such a snowball carries and where it stands depends on
// its earlier steps: j steps before it stood within 1 + j of c, read within 1 + R + j, and shared
// within 2 + j; the steps since reach j times max(1 + R, 2), which is more. The settlement itself
// reads 3 x 3 vertices: within 1. A snowball that lands adds what the corners of the cell that it
// left last settled to the north-west one: one more. One that stopped took its share a step before
// at the latest, and adds it within 2 of that.
int Reach(const SnowballStage& stage) { return StepReach(stage) * stage.steps + 1; }

void Record(const SnowballStage& stage, Recorder& recorder) {
  const WindowRegion window = recorder.region();
  const WindowRegion cells{window.first, window.last - 1};
  recorder.Dispatch(Kernel::kSnowballSpawn, stage.params, window);
  for (int step = 0; step < stage.steps; ++step) {
    recorder.Shrink(StepReach(stage));
    const WindowRegion settled = recorder.written();
    // The cells with a corner that settles. If the window does not shrink: all cells whose
    // snowballs look into the window.
    const WindowRegion live = recorder.shrinks() ? WindowRegion{settled.first - 1, settled.last}
                                                 : cells.Inset(StepReach(stage));
    recorder.SetLiveMovers(live);
    const auto ramp =
        static_cast<int>(std::min(std::int64_t{step} * stage.ramp_q16, std::int64_t{kWhole}));
    recorder.Dispatch(Kernel::kSnowballScatter, stage.params,
                      Fell(recorder, cells, live.Inset(-step)), ramp);
    recorder.Dispatch(Kernel::kSnowballSettle, stage.params, settled);
    recorder.SwapHeights();
    recorder.Exchange(kernels::kSeamHeight, 1);
  }
  recorder.Shrink(1);
  // The landing comes after the last move, so the cells that snowballs left count.
  const WindowRegion live{recorder.region().first - 1, recorder.region().last};
  recorder.Dispatch(Kernel::kSnowballLand, stage.params,
                    Fell(recorder, cells, live.Inset(1 - stage.steps)));
  CloseMovers(recorder, stage.params.grain_bits, stage.traffic_q16);
}

}  // namespace thalweg::stages
