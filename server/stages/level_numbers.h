// Numbers that every stage of a level is compiled with, and units that these compilers share.
#pragma once

#include <cstdint>

#include "shaders/kernels/layers.glsl"

namespace thalweg::stages {

// Metres in height units (see thalweg.v1.Layer).
constexpr double HeightUnits(double metres) { return metres * 65536.0; }

// The flow of one cell's rain, in flow units (1/256).
inline constexpr int kBackgroundFlow = kernels::kCellRain;

// The number 1 in units of 1/65,536.
inline constexpr double kWholeQ16 = 65536.0;

struct LevelNumbers {
  int number = 0;
  double cell_units = 0;       // height units in the side of a cell
  std::int32_t sea_level = 0;  // where rivers end, a sea or dry ground; kernels::kNoSea: nowhere
  int planes = 0;              // the layers, as bits, that have their own plane
  std::uint32_t stream = 0;    // of the stage's random numbers
  // How many levels it comes after the last level of real land; 0 if it is one or follows none.
  int after_real_land = 0;
  // How many levels of `ground` are above it, one after the other; and how many levels are finer
  // than it.
  int ground_levels_above = 0;
  int finer_levels = 0;
  // Whether its first ground is the base: then it finds its ways anew and inherits none.
  bool from_base = false;
  // Whether the world is a planet: then noise is a function of the position in space.
  bool on_sphere = false;
};

// The unit of sediment at a level: ground below a height unit is counted in grains.
struct Grain {
  int bits;         // a height unit is 2^bits grains
  double per_cell;  // grains in a column as high as a cell's side
};

Grain GrainOf(const LevelNumbers& level);

// The height of a parcel, the unit that movers carry, in cells' sides.
float CellsPerParcel(const Grain& grain);

}  // namespace thalweg::stages
