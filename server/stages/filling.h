// Finds and fills depressions, as the first step of pools, silt and rivers.
#pragma once

#include <cstdint>
#include <optional>

#include "server/stages/host_math.h"
#include "server/stages/level_numbers.h"
#include "server/stages/recorder.h"
#include "shaders/kernels/pools.glsl"

namespace thalweg::stages {

struct Filling {
  // How far water may rise above the parent's surface, if the surfaces begin from it. Without a
  // value, paths are followed for 2^trace_bits steps.
  std::optional<int> freeboard;
  int trace_bits = 0;
  int fills = 0;  // iterations of filling
  kernels::PoolsParams params{};
};

// The stream of random numbers for random ways over filled ground.
inline constexpr std::uint32_t kFillingStream = 0x40000000;

// A filling that does not begin from the parent's surface. silt: the depth up to which pools silt
// up, in cells' sides.
Filling OwnFilling(std::uint32_t path, std::uint32_t fills, double silt, const LevelNumbers& level);

// A filling that begins from the parent's surface, except at levels that start from the base. Kind:
// a message with `path` for those, `freeboard` for other levels, and `fills`.
template <typename Kind>
Filling InheritedFilling(const Kind& kind, double silt, const LevelNumbers& level) {
  Filling filling = OwnFilling(kind.path(), kind.fills(), silt, level);
  if (!level.from_base) filling.freeboard = HeldThickness(kind.freeboard() * level.cell_units);
  return filling;
}

// The min fall of a way over a step: a part of a cell, 1 / 2^bits. It is held so that even 1,024
// steps above the highest ground fit in 32 bits.
int DescentOf(double cell_units, int bits);

int Reach(const Filling& filling);

// Returns the plane of the surfaces, 0 or 1.
int Record(const Filling& filling, Recorder& recorder);

// Records only the iterations, on the surfaces in this plane. Returns the plane of the result.
int RecordFills(const Filling& filling, int plane, Recorder& recorder);

// Records standing water and silt, for stages that are only a filling.
void RecordPools(const Filling& filling, Recorder& recorder);

}  // namespace thalweg::stages
