#include "server/world/stage_compiler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "server/world/host_math.h"

namespace thalweg::world {
namespace {

constexpr double kSqrt2 = 1.4142135623730951;
// Larger differences never stand between neighbours, and the kernel's differences must not
// overflow.
constexpr double kLargestTalus = 1 << 28;

ThermalStage Compile(const v1::Thermal& thermal, const LevelNumbers& level) {
  const double talus = TangentOfDegrees(thermal.talus_deg()) * level.cell_units;
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

BlurStage Compile(const v1::Blur& blur) {
  return {.iterations = static_cast<int>(blur.iterations()),
          .params = CompileBlur(blur.strength())};
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

}  // namespace

kernels::BlurParams CompileBlur(double strength) {
  return {.straight = RoundedInt(strength * kWholeQ16 / 8),
          .diagonal = RoundedInt(strength * kWholeQ16 / 16)};
}

Stage CompileStage(const v1::Stage& stage, const LevelNumbers& level) {
  switch (stage.kind_case()) {
    case v1::Stage::kDroplet:
      return Compile(stage.droplet(), level);
    case v1::Stage::kThermal:
      return Compile(stage.thermal(), level);
    case v1::Stage::kRebound:
      return Compile(stage.rebound());
    case v1::Stage::kPools:
      return Compile(stage.pools(), level);
    case v1::Stage::kFluvial:
      return Compile(stage.fluvial(), level);
    case v1::Stage::kSilt:
      return Compile(stage.silt(), level);
    case v1::Stage::kBlur:
      return Compile(stage.blur());
    case v1::Stage::kSnowball:
      return Compile(stage.snowball(), level);
    case v1::Stage::kRaindrop:
      return Compile(stage.raindrop(), level);
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

}  // namespace thalweg::world
