#include "server/stages/raindrop.h"

#include <cmath>

#include "server/stages/blur.h"
#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/mover.h"

namespace thalweg::stages {
namespace {

bool WindFollows(const RaindropStage& stage, int step) {
  return stage.wind_period > 0 && (step + 1) % stage.wind_period == 0;
}

}  // namespace

RaindropStage Compile(const v1::Raindrop& raindrop, const LevelNumbers& level) {
  const Grain grain = GrainOf(level);
  return {.steps = static_cast<int>(raindrop.steps()),
          .wind_period = static_cast<int>(raindrop.wind_period()),
          .traffic_q16 = TrafficQ16(raindrop.steps(), 1.0),
          .params =
              {
                  .inverse_cell = KernelFloat(1.0 / level.cell_units),
                  .erosion = KernelFloat(raindrop.erosion()),
                  .capacity = KernelFloat(raindrop.capacity()),
                  .deposition = KernelFloat(raindrop.deposition()),
                  .limit = KernelFloat(raindrop.limit()),
                  .wander = KernelFloat(raindrop.wander()),
                  .wishes_per_cell =
                      KernelFloat(std::ldexp(grain.per_cell, -kernels::kGrainsPerWishBits)),
                  .cells_per_parcel = CellsPerParcel(grain),
                  .grains_per_unit = KernelFloat(std::ldexp(1.0, grain.bits)),
                  .grain_bits = grain.bits,
                  .stream = level.stream,
              },
          .wind = BlurOf(raindrop.wind())};
}

// Two cells a step, and one for each wind. What vertex c settles depends on the drops that offered
// at c: they stood on c or beside it, within 1, read their neighbours, within 2, and shared in what
// the vertex of their last offer settled: where they stand or where they came from, within 2. j
// steps before they stood within 1 + j, so what they read and shared in then was within 2 + j, and
// the steps since reach 2 j. The settlement itself reads 3 x 3 vertices: within 1. What a drop
// gained at its last offer is washed at most kWashSpread further.
int Reach(const RaindropStage& stage) {
  const int winds = stage.wind_period > 0 ? stage.steps / stage.wind_period : 0;
  return 2 * stage.steps + winds + kernels::kWashSpread;
}

void Record(const RaindropStage& stage, Recorder& recorder) {
  const WindowRegion window = recorder.region();
  recorder.Dispatch(Kernel::kRaindropSpawn, stage.params, window);
  for (int step = 0; step < stage.steps; ++step) {
    recorder.Shrink(2);
    const WindowRegion settled = recorder.written();
    // Drops offer at their own vertex or at one beside it.
    const WindowRegion live = recorder.shrinks() ? settled.Inset(-1) : settled;
    recorder.SetLiveMovers(live);
    recorder.Dispatch(Kernel::kRaindropScatter, stage.params,
                      Fell(recorder, window, live.Inset(-step)), step);
    recorder.Dispatch(Kernel::kRaindropSettle, stage.params, settled);
    recorder.SwapHeights();
    recorder.Exchange(kernels::kSeamHeight, 1);
    if (WindFollows(stage, step)) RecordBlur(stage.wind, recorder);
  }
  recorder.Shrink(kernels::kWashSpread);
  recorder.SetLiveMovers(recorder.region());
  recorder.Dispatch(
      Kernel::kRaindropLand, stage.params,
      Fell(recorder, window, recorder.region().Inset(-stage.steps - kernels::kWashSpread)),
      stage.steps);
  CloseMovers(recorder, stage.params.grain_bits, stage.traffic_q16);
}

}  // namespace thalweg::stages
