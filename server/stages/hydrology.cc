#include "server/stages/hydrology.h"

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/mover.h"

namespace thalweg::stages {
namespace {

kernels::DropletParams Birth(const v1::Droplet& rain, const LevelNumbers& level) {
  const double density = rain.has_density() ? rain.density() : 1.0;
  kernels::DropletParams birth{};
  birth.inheritance = KernelFloat(rain.inheritance());
  birth.max_inherited_water = KernelFloat(rain.max_inherited_water());
  birth.grain_bits = GrainOf(level).bits;
  birth.stream = level.stream;
  birth.density = Density(density);
  birth.gathered = KernelFloat(1.0 / density);
  return birth;
}

kernels::DropletBed Bed(const v1::Droplet& rain, const LevelNumbers& level) {
  const Grain grain = GrainOf(level);
  return {.inverse_cell = KernelFloat(1.0 / level.cell_units),
          .capacity = KernelFloat(rain.capacity() / kMomentumUnits),
          .min_slope = KernelFloat(rain.min_slope()),
          .erosion = KernelFloat(rain.erosion()),
          .deposition = KernelFloat(rain.deposition()),
          .limit = KernelFloat(rain.limit()),
          .grains_per_cell = KernelFloat(grain.per_cell),
          .cells_per_parcel = CellsPerParcel(grain),
          .grain_bits = grain.bits};
}

}  // namespace

HydrologyStage Compile(const v1::Hydrology& hydrology, const LevelNumbers& level) {
  const v1::Droplet& rain = hydrology.rain();
  return {.steps = static_cast<int>(rain.steps()),
          .rain = Birth(rain, level),
          .move = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
                   .inertia = KernelFloat(rain.inertia()),
                   .pull = KernelFloat(1.0 - rain.inertia()),
                   .gravity = KernelFloat(rain.gravity()),
                   .friction = KernelFloat(rain.friction()),
                   .evaporation = KernelFloat(rain.evaporation()),
                   .stream_friction = KernelFloat(hydrology.stream_friction()),
                   .stream_evaporation = KernelFloat(hydrology.stream_evaporation()),
                   .inverse_stream_scale =
                       KernelFloat(1.0 / (hydrology.stream_scale() * kBackgroundFlow)),
                   .sea_level = level.sea_level,
                   .planes = level.planes},
          .settle = {.bed = Bed(rain, level),
                     .settling = KernelFloat(hydrology.settling()),
                     .plant_hold = KernelFloat(hydrology.plant_hold() / kWholeQ16),
                     .drain_loss =
                         RoundedInt(hydrology.drain_loss() * (1 << kernels::kGrainsPerParcelBits)),
                     .sea_level = level.sea_level,
                     .planes = level.planes}};
}

LayerAccess AccessOf(const v1::Hydrology& hydrology, bool sea) {
  LayerAccess access;
  if (!sea) access.reads = access.reads | LayerSet{Layer::kWater};
  if (hydrology.plant_hold() > 0) access.reads = access.reads | LayerSet{Layer::kVegetation};
  return access;
}

// Streams and water are read where the ground is read: at the corners of a droplet's cell and in
// the 3 x 3 vertices around one that settles.
int Reach(const HydrologyStage& stage) { return DropletReach(stage.steps); }

void Record(const HydrologyStage& stage, Recorder& recorder) {
  recorder.Exchange(kernels::kSeamFlow | kernels::kSeamWater);
  recorder.Dispatch(Kernel::kDropletSpawn, stage.rain, recorder.region());
  for (int i = 0; i < stage.steps; ++i) {
    const DropletStep step = BeginDropletStep(recorder, i);
    recorder.Dispatch(Kernel::kHydrologyScatter, stage.move, step.fell);
    recorder.Dispatch(Kernel::kHydrologySettle, stage.settle, step.settled);
    recorder.SwapHeights();
    recorder.Exchange(kernels::kSeamHeight | kernels::kSeamRate, 1);
  }
  const DropletStep end = EndDropletSteps(recorder, stage.steps);
  recorder.Dispatch(Kernel::kDropletLand, stage.rain, end.fell, kWhole);
  recorder.Dispatch(Kernel::kDropletClose, stage.rain, end.settled, (1 << 20) / stage.steps);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
