// The numbers that every stage of a level is compiled with, and the units that compilers share.
#pragma once

#include <cstdint>

namespace thalweg::stages {

// Metres in height units (see thalweg.v1.Layer).
constexpr double HeightUnits(double metres) { return metres * 65536.0; }

// The flow of one cell's rain, in flow units (1/256).
inline constexpr int kBackgroundFlow = 256;

// 1 in parts of 65,536.
inline constexpr double kWholeQ16 = 65536.0;

struct LevelNumbers {
  int number = 0;
  double cell_units = 0;       // height units in the side of a cell
  std::int32_t sea_level = 0;  // where water ends, dry or not; kernels::kNoSea without one
  int planes = 0;              // the layers, as bits, that have a plane of their own
  std::uint32_t stream = 0;    // of the stage's random numbers
  // How many levels after the last one of real land; 0: without any before it, or real land itself.
  int after_real_land = 0;
  // Whether its first ground is the base: ways are found anew then, and none are inherited.
  bool from_base = false;
  // Whether the world is a planet: noise is a function of places in space then.
  bool on_sphere = false;
};

}  // namespace thalweg::stages
