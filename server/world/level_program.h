// What one level of one world does, compiled from its specification: numbers that the kernels take
// as they are. Pure data, and the arithmetic of reach.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "server/world/layer.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::world {

// The version of the generator: part of every world's id. Raise it with any change of a bit.
inline constexpr std::uint32_t kGeneratorVersion = 4;

// A run of droplets.
struct DropletStage {
  int steps = 0;
  int evaporation_q16 = 0;  // part of the water that a step takes, of 65,536
  kernels::DropletParams params{};
};

struct ThermalStage {
  int iterations = 0;
  kernels::ThermalParams params{};
};

struct ReboundStage {
  kernels::ReboundParams params{};
};

// Where water stands.
struct PoolsStage {
  // Where surfaces begin from the parent's: height over it that water may rise to. Where they
  // don't, paths are followed for 2^trace_bits steps.
  std::optional<int> freeboard;
  int trace_bits = 0;
  int fills = 0;  // iterations of filling
  kernels::PoolsParams params{};
};

// Rivers that drain what they can, and incise.
struct FluvialStage {
  PoolsStage filling;
  int gathers = 0;  // cells that drainage moves
  int iterations = 0;
  kernels::FluvialParams params{};
};

struct BlurStage {
  int iterations = 0;
  kernels::BlurParams params{};
};

// A run of snowballs.
struct SnowballStage {
  int steps = 0;
  int ramp_q16 = 0;     // part of the digging that a step gains, of 65,536
  int traffic_q16 = 0;  // flow of a unit of traffic, of 65,536
  kernels::SnowballParams params{};

  // Cells that the settled region shrinks by each step.
  int StepReach() const;
};

// A run of raindrops.
struct RaindropStage {
  int steps = 0;
  int wind_period = 0;  // 0: there is no wind
  int traffic_q16 = 0;  // flow of a unit of traffic, of 65,536
  kernels::RaindropParams params{};
  kernels::BlurParams wind{};

  bool WindFollows(int step) const { return wind_period > 0 && (step + 1) % wind_period == 0; }
};

// The way to the shore.
struct ShoreStage {
  kernels::ShoreParams params{};
};

// Droplets that find streams, lakes and plants.
struct HydrologyStage {
  int steps = 0;
  kernels::DropletParams rain{};  // how droplets are born and end
  kernels::HydrologyMoveParams move{};
  kernels::HydrologySettleParams settle{};
};

// Plants that spawn, spread and die.
struct VegetationStage {
  int iterations = 0;
  kernels::VegetationParams params{};
};

// Particles that collide with the ground.
struct CollisionStage {
  int steps = 0;
  kernels::CollisionMoveParams move{};
  kernels::CollisionSettleParams settle{};
};

using Stage = std::variant<DropletStage, ThermalStage, ReboundStage, PoolsStage, FluvialStage,
                           BlurStage, SnowballStage, RaindropStage, ShoreStage, HydrologyStage,
                           VegetationStage, CollisionStage>;

// How far, in cells, a vertex's result may depend on what was there before the stage: an upper
// bound, proved beside its definition. A region computed with a halo of the sum equals the infinite
// field.
int ReachCells(const Stage& stage);

// A level of a world. Immutable once made; shared freely between threads.
struct LevelProgram {
  int level = 0;
  double cell_size_m = 0;
  std::uint32_t seed_low = 0;
  std::uint32_t seed_high = 0;
  // Level 0: the noise program. Empty at other levels.
  std::vector<kernels::BaseInstruction> base;
  // Other levels: what is added to the parent's ground.
  kernels::DetailParams detail{};
  kernels::Lattice detail_lattice{};
  std::vector<Stage> stages;
  // What this world's levels pass on: the same at each.
  LayerSet inherited{Layer::kSediment};
  // The layers that have a plane of their own while a level is computed: the same at each.
  LayerSet planes{Layer::kSediment};
  // The height of the sea in height units; kNoSea without one.
  std::int32_t sea_level = kernels::kNoSea;

  // The sum of the stages' reaches.
  int HaloCells() const;
};

// Height units in the side of a level's cell, and the lattice (a shift) that heights travel on by
// default: the largest power of two at or under a 64th of the cell.
double CellHeightUnits(double cell_size_m);
int LatticeShift(double cell_size_m);

}  // namespace thalweg::world
