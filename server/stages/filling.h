// Depressions are found and filled: what pools, silt and rivers begin with.
#pragma once

#include <cstdint>
#include <optional>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/pools.glsl"

namespace thalweg::stages {

struct Filling {
  // Where surfaces begin from the parent's: height over it that water may rise to. Where they
  // don't, paths are followed for 2^trace_bits steps.
  std::optional<int> freeboard;
  int trace_bits = 0;
  int fills = 0;  // iterations of filling
  kernels::PoolsParams params{};
};

// Where random ways over filled ground begin among a world's random numbers.
inline constexpr std::uint32_t kFillingStream = 0x40000000;

// A filling that does not begin from the parent's surface. silt: the depth that pools silt up, in
// cells' sides.
Filling OwnFilling(std::uint32_t path, std::uint32_t fills, double silt, const LevelNumbers& level);

// One that does, except at level 0. Kind: a message with a path for level 0, a freeboard for the
// others, and fills.
template <typename Kind>
Filling InheritedFilling(const Kind& kind, double silt, const LevelNumbers& level) {
  Filling filling = OwnFilling(kind.path(), kind.fills(), silt, level);
  if (!level.from_base) filling.freeboard = RoundedInt(kind.freeboard() * level.cell_units);
  return filling;
}

int Reach(const Filling& filling);

// Gives the plane of the surfaces, 0 or 1.
int Record(const Filling& filling, Recorder& recorder);

// The iterations only, of surfaces that stand in this plane; gives the plane in which they end.
int RecordFills(const Filling& filling, int plane, Recorder& recorder);

// Standing water and silt, where a filling is the whole stage.
void RecordPools(const Filling& filling, Recorder& recorder);

}  // namespace thalweg::stages
