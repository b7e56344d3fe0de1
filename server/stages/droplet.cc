#include "server/stages/droplet.h"

#include <cstdint>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/mover.h"

namespace thalweg::stages {
namespace {

// A vertex that settles reads its neighbours; a droplet reads the corners of its cell.
constexpr int kSettledReach = 1;

}  // namespace

DropletStage Compile(const v1::Droplet& droplet, const LevelNumbers& level) {
  const Grain grain = GrainOf(level);
  const double density = droplet.has_density() ? droplet.density() : 1.0;
  return {.steps = static_cast<int>(droplet.steps()),
          .evaporation_q16 = RoundedInt(droplet.evaporation() * kWholeQ16),
          .params = {
              .inverse_cell = KernelFloat(1.0 / level.cell_units),
              .inertia = KernelFloat(droplet.inertia()),
              .pull = KernelFloat(1.0 - droplet.inertia()),
              .kept_energy = KernelFloat(1.0 - droplet.friction()),
              .gravity = KernelFloat(droplet.gravity()),
              .capacity = KernelFloat(droplet.capacity() / kMomentumUnits),
              .min_slope = KernelFloat(droplet.min_slope()),
              .erosion = KernelFloat(droplet.erosion()),
              .deposition = KernelFloat(droplet.deposition()),
              .limit = KernelFloat(droplet.limit()),
              .grains_per_cell = KernelFloat(grain.per_cell),
              .cells_per_parcel = CellsPerParcel(grain),
              .inheritance = KernelFloat(droplet.inheritance()),
              .max_inherited_water = KernelFloat(droplet.max_inherited_water()),
              .grain_bits = grain.bits,
              .stream = level.stream,
              .density = Density(density),
              .gathered = KernelFloat(1.0 / density),
          }};
}

int Reach(const DropletStage& stage) { return DropletReach(stage.steps); }

void Record(const DropletStage& stage, Recorder& recorder) {
  recorder.Exchange(kernels::kSeamFlow);
  recorder.Dispatch(Kernel::kDropletSpawn, stage.params, recorder.region());
  int kept = kWhole;
  for (int i = 0; i < stage.steps; ++i) {
    const int before = kept;
    kept -= static_cast<int>((std::int64_t{kept} * stage.evaporation_q16) >> 16);
    const DropletStep step = BeginDropletStep(recorder, i);
    recorder.Dispatch(Kernel::kDropletScatter, stage.params, step.fell, kept, before);
    recorder.Dispatch(Kernel::kDropletSettle, stage.params, step.settled);
    recorder.SwapHeights();
    recorder.Exchange(kernels::kSeamHeight | kernels::kSeamRate, kSettledReach);
  }
  const DropletStep end = EndDropletSteps(recorder, stage.steps);
  recorder.Dispatch(Kernel::kDropletLand, stage.params, end.fell, kept);
  recorder.Dispatch(Kernel::kDropletClose, stage.params, end.settled, (1 << 20) / stage.steps);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
