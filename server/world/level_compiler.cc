#include "server/world/level_compiler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"
#include "server/world/base_compiler.h"
#include "server/world/constraints.h"
#include "server/world/field_message.h"
#include "server/world/host_math.h"
#include "server/world/noise_lattice.h"
#include "server/world/stage_layers.h"

namespace thalweg::world {
namespace {

// Flow of what falls on any hillside, in flow units (1/256): one cell's rain.
constexpr int kBackgroundFlow = 256;

constexpr double kDetailWavelengthCells = 4.0;
constexpr std::uint32_t kDetailStream = 1000;
// Levels in a row are turned differently.
constexpr std::uint32_t kDetailTurn = 3;

// A rule has 8 stages at most, so levels don't share rain.
constexpr std::uint32_t kRainStreamsPerLevel = 16;

constexpr std::uint32_t kFluvialStream = 0x40000000;
constexpr std::uint32_t kWayStream = 65536;
// Part of a cell, as a power of two, of a way's step over filled ground, to be multiplied by 0 to
// 225.
constexpr int kWayRoughnessBits = 20;
// The least slope of such ground, and of a carved way: 6 cm a km, a lowland river's. At each level
// it is what the parent's is, so that water finds the parent's way again.
constexpr int kWayDescentBits = 14;

// A cell's height is at least 2^25 grains, so that a grain is far below what a step moves.
constexpr int kGrainBitsPerCell = 25;
constexpr double kMomentumUnits = 128.0;  // of a unit of discharge
constexpr double kWholeQ16 = 65536.0;
constexpr double kSqrt2 = 1.4142135623730951;
// Larger differences never stand between neighbours, and the kernel's differences must not
// overflow.
constexpr double kLargestTalus = 1 << 28;

// What every stage of a level is compiled with.
struct LevelNumbers {
  int number;
  double cell_units;
  std::int32_t sea_level;
  int planes;            // the layers, as bits, that have a plane of their own
  std::uint32_t stream;  // of the stage's random numbers; has its own with the one after it
};

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

DropletStage Compile(const v1::Droplet& droplet, double cell_units, std::uint32_t stream) {
  const Grain grain = GrainOf(cell_units);
  const double density = droplet.has_density() ? droplet.density() : 1.0;
  return {.steps = static_cast<int>(droplet.steps()),
          .evaporation_q16 = RoundedInt(droplet.evaporation() * kWholeQ16),
          .params = {
              .inverse_cell = KernelFloat(1.0 / cell_units),
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
              .stream = stream,
              .density = Density(density),
              .gathered = KernelFloat(1.0 / density),
          }};
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

ThermalStage Compile(const v1::Thermal& thermal, double cell_units) {
  const double talus = TangentOfDegrees(thermal.talus_deg()) * cell_units;
  return {.iterations = static_cast<int>(thermal.iterations()),
          .params = {.talus = RoundedInt(std::min(talus, kLargestTalus)),
                     .diagonal_talus = RoundedInt(std::min(talus * kSqrt2, kLargestTalus)),
                     .rate = KernelFloat(thermal.rate() * 0.5)}};
}

ReboundStage Compile(const v1::Rebound& rebound) {
  return {.params = {.radius = static_cast<int>(rebound.radius()),
                     .radius_bits = std::countr_zero(rebound.radius()),
                     .strength = RoundedInt(rebound.strength() * kWholeQ16)}};
}

// The filling of depressions that only Pools does without the parent's surface. Silt: in cells.
PoolsStage Filling(std::uint32_t path, std::uint32_t fills, double silt,
                   const LevelNumbers& level) {
  PoolsStage stage;
  stage.trace_bits = std::countr_zero(path);
  stage.fills = static_cast<int>(fills);
  stage.params.sea_level = level.sea_level;
  stage.params.silt = RoundedInt(silt * level.cell_units);
  stage.params.step = 1;
  stage.params.stream = kFluvialStream + level.stream;
  stage.params.planes = level.planes;
  return stage;
}

// Kind: a message with a path for level 0, a freeboard for the others, and fills.
template <typename Kind>
PoolsStage InheritedFilling(const Kind& kind, double silt, const LevelNumbers& level) {
  PoolsStage stage = Filling(kind.path(), kind.fills(), silt, level);
  if (level.number > 0) stage.freeboard = RoundedInt(kind.freeboard() * level.cell_units);
  return stage;
}

PoolsStage Compile(const v1::Pools& pools, const LevelNumbers& level) {
  PoolsStage stage = Filling(pools.path(), pools.fills(), pools.silt(), level);
  stage.params.lakes = 1;
  return stage;
}

PoolsStage Compile(const v1::Silt& silt, const LevelNumbers& level) {
  return InheritedFilling(silt, silt.depth(), level);
}

FluvialStage Compile(const v1::Fluvial& fluvial, const LevelNumbers& level) {
  const double cell_units = level.cell_units;
  PoolsStage filling = InheritedFilling(fluvial, 0, level);
  filling.params.step = std::max(1, static_cast<int>(std::ldexp(cell_units, -kWayDescentBits)));
  filling.params.roughness = static_cast<int>(std::ldexp(cell_units, -kWayRoughnessBits));
  return {.filling = filling,
          .gathers = static_cast<int>(fluvial.drainage()),
          .iterations = static_cast<int>(fluvial.iterations()),
          .params = {.inverse_cell = KernelFloat(1.0 / cell_units),
                     .cell = KernelFloat(cell_units),
                     .erodibility = KernelFloat(fluvial.erodibility()),
                     .area_exponent = KernelFloat(fluvial.area_exponent()),
                     .limit = KernelFloat(fluvial.limit()),
                     .talus = KernelFloat(TangentOfDegrees(fluvial.talus_deg())),
                     .background_flow = kBackgroundFlow,
                     .depth = RoundedInt(std::min(fluvial.depth() * cell_units, kLargestTalus)),
                     .silt = RoundedInt(fluvial.silt() * cell_units),
                     .descent = filling.params.step,
                     .sea_level = level.sea_level,
                     .stream = kFluvialStream + kWayStream + level.stream}};
}

BlurStage Compile(std::uint32_t iterations, double strength) {
  return {.iterations = static_cast<int>(iterations),
          .params = {.straight = RoundedInt(strength * kWholeQ16 / 8),
                     .diagonal = RoundedInt(strength * kWholeQ16 / 16)}};
}

// Flow of a unit of traffic when there are so many movers a cell, each of so many steps: together
// they make one cell's rain.
int TrafficQ16(std::uint32_t steps, double density) {
  return RoundedInt(kWholeQ16 * kBackgroundFlow / kernels::kTrafficPerMover / (steps * density));
}

SnowballStage Compile(const v1::Snowball& snowball, double cell_units, std::uint32_t stream) {
  const Grain grain = GrainOf(cell_units);
  return {
      .steps = static_cast<int>(snowball.steps()),
      .ramp_q16 = RoundedInt(snowball.ramp() * kWholeQ16),
      .traffic_q16 = TrafficQ16(snowball.steps(), snowball.density()),
      .params = {
          .inverse_cell = KernelFloat(1.0 / cell_units),
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
          .stream = stream,
      }};
}

RaindropStage Compile(const v1::Raindrop& raindrop, double cell_units, std::uint32_t stream) {
  const Grain grain = GrainOf(cell_units);
  return {.steps = static_cast<int>(raindrop.steps()),
          .wind_period = static_cast<int>(raindrop.wind_period()),
          .traffic_q16 = TrafficQ16(raindrop.steps(), 1.0),
          .params =
              {
                  .inverse_cell = KernelFloat(1.0 / cell_units),
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
                  .stream = stream,
              },
          .wind = Compile(1, raindrop.wind()).params};
}

ShoreStage Compile(const v1::Shore& shore, const LevelNumbers& level) {
  return {.params = {.radius = static_cast<int>(shore.radius()),
                     .sea_level = level.sea_level,
                     .planes = level.planes}};
}

// A chance of 2^24.
kernels::uint Chance(double chance) {
  return static_cast<kernels::uint>(RoundedInt(chance * 16777216.0));
}

float SquaredSlope(double degrees) {
  const double slope = TangentOfDegrees(degrees);
  return KernelFloat(slope * slope);
}

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
    stage.params.tree_line = RoundedInt(CellHeightUnits(vegetation.tree_line_m()));
    stage.params.inverse_band = KernelFloat(1.0 / CellHeightUnits(vegetation.tree_line_band_m()));
  }
  return stage;
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

kernels::DetailParams Compile(const v1::Detail& detail, double cell_units) {
  return {.cell = KernelFloat(cell_units),
          .inverse_cell = KernelFloat(1.0 / cell_units),
          .roughness = KernelFloat(detail.roughness()),
          .slope_roughness = KernelFloat(detail.slope_roughness()),
          .background_flow = kBackgroundFlow};
}

Stage Compile(const v1::Stage& stage, const LevelNumbers& level) {
  switch (stage.kind_case()) {
    case v1::Stage::kDroplet:
      return Compile(stage.droplet(), level.cell_units, level.stream);
    case v1::Stage::kThermal:
      return Compile(stage.thermal(), level.cell_units);
    case v1::Stage::kRebound:
      return Compile(stage.rebound());
    case v1::Stage::kPools:
      return Compile(stage.pools(), level);
    case v1::Stage::kFluvial:
      return Compile(stage.fluvial(), level);
    case v1::Stage::kSilt:
      return Compile(stage.silt(), level);
    case v1::Stage::kBlur:
      return Compile(stage.blur().iterations(), stage.blur().strength());
    case v1::Stage::kSnowball:
      return Compile(stage.snowball(), level.cell_units, level.stream);
    case v1::Stage::kRaindrop:
      return Compile(stage.raindrop(), level.cell_units, level.stream);
    case v1::Stage::kShore:
      return Compile(stage.shore(), level);
    case v1::Stage::kHydrology:
      return Compile(stage.hydrology(), level);
    case v1::Stage::kVegetation:
      return Compile(stage.vegetation(), level);
    case v1::Stage::kCollision:
      return Compile(stage.collision(), level);
    case v1::Stage::KIND_NOT_SET:
      break;
  }
  std::abort();  // normalising refuses a stage without a kind
}

std::int32_t SeaLevel(const v1::WorldSpec& spec) {
  return spec.has_sea_level_m() ? RoundedInt(CellHeightUnits(spec.sea_level_m())) : kernels::kNoSea;
}

}  // namespace

absl::StatusOr<LevelProgram> CompileLevel(const v1::WorldSpec& spec, int level) {
  const int rule_index = RuleOf(spec, level);
  const v1::LevelRule& rule = spec.rules(rule_index);
  const auto number = static_cast<std::uint32_t>(level);
  LevelProgram program;
  program.level = level;
  program.cell_size_m = std::ldexp(spec.cell_size_m(), -level);
  program.seed_low = static_cast<std::uint32_t>(spec.seed());
  program.seed_high = static_cast<std::uint32_t>(spec.seed() >> 32);
  program.inherited = InheritedLayers(spec);
  program.planes = program.inherited | WrittenLayers(spec);
  program.sea_level = SeaLevel(spec);
  const double cell_units = CellHeightUnits(program.cell_size_m);
  if (level == 0) {
    THALWEG_ASSIGN_OR_RETURN(program.base, CompileBase(spec.base(), spec.cell_size_m()));
  } else {
    program.detail = Compile(rule.detail(), cell_units);
    program.detail_lattice =
        TurnedLattice(kDetailWavelengthCells, number * kDetailTurn, kDetailStream + number);
  }
  for (int i = 0; i < rule.stages_size(); ++i) {
    const std::uint32_t stream = number * kRainStreamsPerLevel + static_cast<std::uint32_t>(i);
    program.stages.push_back(Compile(
        rule.stages(i),
        {level, cell_units, program.sea_level, static_cast<int>(program.planes.bits()), stream}));
  }
  if (const int halo = program.HaloCells(); halo > kMaxHaloCells) {
    return absl::InvalidArgumentError(
        absl::StrCat(FieldPath(ItemPath("rules", rule_index), "stages"), " reaches ", halo,
                     " cells: must reach ", kMaxHaloCells, " or less"));
  }
  return program;
}

}  // namespace thalweg::world
