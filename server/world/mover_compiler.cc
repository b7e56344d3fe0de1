#include <algorithm>
#include <cmath>

#include "server/world/host_math.h"
#include "server/world/stage_compiler.h"

namespace thalweg::world {
namespace {

// A cell's height is at least 2^25 grains, so that a grain is far below what a step moves.
constexpr int kGrainBitsPerCell = 25;
constexpr double kMomentumUnits = 128.0;  // of a unit of discharge

// The unit of sediment at a level.
struct Grain {
  int bits;
  double per_cell;
};

Grain GrainOf(double cell_units) {
  const int bits = std::max(0, kGrainBitsPerCell - std::ilogb(cell_units));
  return {bits, std::ldexp(cell_units, bits)};
}

float CellsPerParcel(const Grain& grain) {
  return KernelFloat((1 << kernels::kGrainsPerParcelBits) / grain.per_cell);
}

// Of 65,536.
kernels::uint Density(double density) {
  return static_cast<kernels::uint>(RoundedInt(density * kWholeQ16));
}

kernels::DropletBed Bed(const v1::Hydrology& hydrology, double cell_units) {
  const Grain grain = GrainOf(cell_units);
  return {.inverse_cell = KernelFloat(1.0 / cell_units),
          .capacity = KernelFloat(hydrology.capacity() / kMomentumUnits),
          .min_slope = KernelFloat(hydrology.min_slope()),
          .erosion = KernelFloat(hydrology.erosion()),
          .deposition = KernelFloat(hydrology.deposition()),
          .limit = KernelFloat(hydrology.limit()),
          .grains_per_cell = KernelFloat(grain.per_cell),
          .cells_per_parcel = CellsPerParcel(grain),
          .grain_bits = grain.bits};
}

// Flow of a unit of traffic when there are so many movers a cell, each of so many steps: together
// they make one cell's rain.
int TrafficQ16(std::uint32_t steps, double density) {
  return RoundedInt(kWholeQ16 * kBackgroundFlow / kernels::kTrafficPerMover / (steps * density));
}

}  // namespace

DropletStage Compile(const v1::Droplet& droplet, const LevelNumbers& level) {
  const Grain grain = GrainOf(level.cell_units);
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

HydrologyStage Compile(const v1::Hydrology& hydrology, const LevelNumbers& level) {
  HydrologyStage stage;
  stage.steps = static_cast<int>(hydrology.steps());
  stage.rain.inheritance = KernelFloat(hydrology.inheritance());
  stage.rain.max_inherited_water = KernelFloat(hydrology.max_inherited_water());
  stage.rain.grain_bits = GrainOf(level.cell_units).bits;
  stage.rain.stream = level.stream;
  stage.rain.density = Density(hydrology.density());
  stage.rain.gathered = KernelFloat(1.0 / hydrology.density());
  stage.move = {
      .inverse_cell = KernelFloat(1.0 / level.cell_units),
      .inertia = KernelFloat(hydrology.inertia()),
      .pull = KernelFloat(1.0 - hydrology.inertia()),
      .gravity = KernelFloat(hydrology.gravity()),
      .friction = KernelFloat(hydrology.friction()),
      .evaporation = KernelFloat(hydrology.evaporation()),
      .stream_friction = KernelFloat(hydrology.stream_friction()),
      .stream_evaporation = KernelFloat(hydrology.stream_evaporation()),
      .inverse_stream_scale = KernelFloat(1.0 / (hydrology.stream_scale() * kBackgroundFlow)),
      .sea_level = level.sea_level,
      .planes = level.planes};
  stage.settle = {
      .bed = Bed(hydrology, level.cell_units),
      .settling = KernelFloat(hydrology.settling()),
      .plant_hold = KernelFloat(hydrology.plant_hold() / kWholeQ16),
      .drain_loss = RoundedInt(hydrology.drain_loss() * (1 << kernels::kGrainsPerParcelBits)),
      .sea_level = level.sea_level,
      .planes = level.planes};
  return stage;
}

SnowballStage Compile(const v1::Snowball& snowball, const LevelNumbers& level) {
  const Grain grain = GrainOf(level.cell_units);
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

RaindropStage Compile(const v1::Raindrop& raindrop, const LevelNumbers& level) {
  const Grain grain = GrainOf(level.cell_units);
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
          .wind = CompileBlur(raindrop.wind())};
}

CollisionStage Compile(const v1::Collision& collision, const LevelNumbers& level) {
  const Grain grain = GrainOf(level.cell_units);
  CollisionStage stage;
  stage.steps = static_cast<int>(collision.steps());
  stage.move = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
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
                .soil = RoundedInt(CellHeightUnits(collision.soil_m())),
                .stream = level.stream,
                .sea_level = level.sea_level,
                .planes = level.planes};
  stage.settle = {.inverse_cell = KernelFloat(1.0 / level.cell_units),
                  .grains_per_cell = KernelFloat(grain.per_cell),
                  .cells_per_parcel = CellsPerParcel(grain),
                  .limit = KernelFloat(collision.limit()),
                  .soft = KernelFloat(collision.erodibility_soft()),
                  .hard = KernelFloat(collision.erodibility_hard()),
                  .crowding = KernelFloat(collision.crowding()),
                  .cushion = KernelFloat(collision.cushion()),
                  .grain_bits = grain.bits,
                  .sea_level = level.sea_level,
                  .planes = level.planes};
  return stage;
}

}  // namespace thalweg::world
