#include <algorithm>
#include <bit>
#include <cmath>

#include "server/world/host_math.h"
#include "server/world/stage_compiler.h"

namespace thalweg::world {
namespace {

constexpr std::uint32_t kFluvialStream = 0x40000000;
constexpr std::uint32_t kWayStream = 65536;
// Part of a cell, as a power of two, of a way's step over filled ground, to be multiplied by 0 to
// 225.
constexpr int kWayRoughnessBits = 20;
// The least slope of such ground, and of a carved way: 6 cm a km, a lowland river's. At each level
// it is what the parent's is, so that water finds the parent's way again.
constexpr int kWayDescentBits = 14;

// Rivers never cut deeper, and the kernel's differences must not overflow.
constexpr double kDeepest = 1 << 28;

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

}  // namespace

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
                     .depth = RoundedInt(std::min(fluvial.depth() * cell_units, kDeepest)),
                     .silt = RoundedInt(fluvial.silt() * cell_units),
                     .descent = filling.params.step,
                     .sea_level = level.sea_level,
                     .stream = kFluvialStream + kWayStream + level.stream}};
}

}  // namespace thalweg::world
