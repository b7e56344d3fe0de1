#include "server/stages/collision.h"

#include <cmath>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/mover.h"

namespace thalweg::stages {

CollisionStage Compile(const v1::Collision& collision, const LevelNumbers& level) {
  const Grain grain = GrainOf(level);
  return {.steps = static_cast<int>(collision.steps()),
          .move = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
                   .gravity = KernelFloat(collision.gravity()),
                   .kept_speed = KernelFloat(std::sqrt(1.0 - collision.friction())),
                   .restitution = KernelFloat(collision.restitution()),
                   .splash_speed = KernelFloat(collision.splash_speed()),
                   .capacity = KernelFloat(collision.capacity() * grain.per_cell),
                   .deposition = KernelFloat(collision.deposition()),
                   .fall_speed = KernelFloat(collision.fall_speed()),
                   .roughness2 = KernelFloat(collision.roughness() * collision.roughness()),
                   .inheritance = KernelFloat(collision.inheritance()),
                   .max_inherited_water = KernelFloat(collision.max_inherited_water()),
                   .soil = RoundedInt(HeightUnits(collision.soil_m())),
                   .stream = level.stream,
                   .sea_level = level.sea_level,
                   .planes = level.planes},
          .settle = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
                     .grains_per_cell = KernelFloat(grain.per_cell),
                     .cells_per_parcel = CellsPerParcel(grain),
                     .limit = KernelFloat(collision.limit()),
                     .soft = KernelFloat(collision.erodibility_soft()),
                     .hard = KernelFloat(collision.erodibility_hard()),
                     .crowding = KernelFloat(collision.crowding()),
                     .cushion = KernelFloat(collision.cushion()),
                     .grain_bits = grain.bits,
                     .sea_level = level.sea_level,
                     .planes = level.planes}};
}

// As for droplets. A particle meets the plane of the cell that it reached. The vertices that it
// adds to are corners of that cell too, so all its corners are within 1 of what is settled.
int Reach(const CollisionStage& stage) { return DropletReach(stage.steps); }

void Record(const CollisionStage& stage, Recorder& recorder) {
  recorder.Exchange(kernels::kSeamFlow | kernels::kSeamWater);
  recorder.Dispatch(Kernel::kCollisionSpawn, stage.move, recorder.region());
  for (int i = 0; i < stage.steps; ++i) {
    const DropletStep step = BeginDropletStep(recorder, i);
    const int lived = 256 * (i + 1) / stage.steps - 256 * i / stage.steps;
    recorder.Dispatch(Kernel::kCollisionScatter, stage.move, step.fell, lived);
    recorder.Dispatch(Kernel::kCollisionSettle, stage.settle, step.settled);
    recorder.SwapHeights();
    recorder.Exchange(kernels::kSeamHeight, 1);
  }
  const DropletStep end = EndDropletSteps(recorder, stage.steps);
  recorder.Dispatch(Kernel::kCollisionLand, stage.move, end.fell);
  // Particles have counted the flow already.
  kernels::DropletParams close{};
  close.grain_bits = stage.settle.grain_bits;
  recorder.Dispatch(Kernel::kDropletClose, close, end.settled);
  recorder.Exchange(kernels::kSeamHeight);
}

}  // namespace thalweg::stages
