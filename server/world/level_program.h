// What one level of one world does, compiled from its specification: numbers that the kernels take
// as they are. Pure data, and the arithmetic of reach.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "server/stages/layer.h"
#include "server/stages/stage.h"
#include "server/world/elevation.h"
#include "server/world/surface.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::world {

using stages::Layer;
using stages::LayerSet;
using stages::Stage;

// The version of the generator: part of every world's id. Raise it with any change of a bit
// (generator_version.cc).
extern const std::uint32_t kGeneratorVersion;

// A level of a world. Immutable once made; shared freely between threads.
struct LevelProgram {
  int level = 0;
  double cell_size_m = 0;
  std::uint32_t seed_low = 0;
  std::uint32_t seed_high = 0;
  // What the device reads: the noise program of the base, then the pieces of the height curve.
  std::vector<kernels::BaseInstruction> instructions;
  // Instructions of the base: 0 where the level starts from its parent's ground.
  int base_size = 0;
  // Else: what is added to the parent's ground.
  kernels::DetailParams detail{};
  kernels::Lattice detail_lattice{};
  std::vector<Stage> stages;
  // What this world's levels pass on: the same at each.
  LayerSet inherited{Layer::kSediment};
  // The layers that have a plane of their own while a level is computed: the same at each.
  LayerSet planes{Layer::kSediment};
  // The height of the sea in height units; kNoSea without one.
  std::int32_t sea_level = kernels::kNoSea;
  // What the ground is.
  const Surface* surface = &PlaneSurface();
  // Real land that this level is made of; null: none.
  std::shared_ptr<const Elevation> elevation;

  // The sum of the stages' reaches; 0 where nothing lies beyond the block.
  int HaloCells() const;
  bool OnSphere() const { return surface->FaceBits(level) > 0; }
  std::span<const kernels::BaseInstruction> base() const;
  // Empty without one.
  std::span<const kernels::BaseInstruction> height_curve() const;
};

// Height units in the side of a level's cell, and the lattice (a shift) that heights travel on by
// default: the largest power of two at or under a 64th of the cell.
double CellHeightUnits(double cell_size_m);
int LatticeShift(double cell_size_m);

}  // namespace thalweg::world
