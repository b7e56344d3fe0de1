// A stage's numbers, from its part of a world's specification.
#pragma once

#include <cstdint>

#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Flow of what falls on any hillside, in flow units (1/256): one cell's rain.
inline constexpr int kBackgroundFlow = 256;

// The whole of what is counted in parts of 65,536.
inline constexpr double kWholeQ16 = 65536.0;

// What every stage of a level is compiled with.
struct LevelNumbers {
  int number;
  double cell_units;
  std::int32_t sea_level;
  int planes;            // the layers, as bits, that have a plane of their own
  std::uint32_t stream;  // of the stage's random numbers; has its own with the one after it
};

// A stage that was normalised: it has a kind, and every number is within its range.
Stage CompileStage(const v1::Stage& stage, const LevelNumbers& level);

// Its parts: each compiles the kinds of one family. mover_compiler.cc
DropletStage Compile(const v1::Droplet& droplet, const LevelNumbers& level);
HydrologyStage Compile(const v1::Hydrology& hydrology, const LevelNumbers& level);
SnowballStage Compile(const v1::Snowball& snowball, const LevelNumbers& level);
RaindropStage Compile(const v1::Raindrop& raindrop, const LevelNumbers& level);
CollisionStage Compile(const v1::Collision& collision, const LevelNumbers& level);
// water_compiler.cc
PoolsStage Compile(const v1::Pools& pools, const LevelNumbers& level);
PoolsStage Compile(const v1::Silt& silt, const LevelNumbers& level);
FluvialStage Compile(const v1::Fluvial& fluvial, const LevelNumbers& level);
// stage_compiler.cc. strength: as in v1::Blur.
kernels::BlurParams CompileBlur(double strength);

}  // namespace thalweg::world
