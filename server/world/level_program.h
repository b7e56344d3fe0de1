// What one level of a world does, compiled from the specification: pure data that the kernels take,
// and the arithmetic of reach.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "server/stages/layer.h"
#include "server/stages/stage.h"
#include "server/world/elevation.h"
#include "server/world/planet.h"
#include "shaders/stages/pass.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

using stages::Layer;
using stages::LayerSet;
using stages::Stage;

// The generator version, a part of every world's id. Raise it with any change of a bit of terrain
// (generator_version.cc).
extern const std::uint32_t kGeneratorVersion;

// A level of a world. Immutable once made; shared freely between threads.
struct LevelProgram {
  int level = 0;
  double cell_size_m = 0;
  std::uint32_t seed_low = 0;
  std::uint32_t seed_high = 0;
  // Data for the device: the noise program of the base, then the pieces of the height curve.
  std::vector<kernels::BaseInstruction> instructions;
  // Instructions of the base: 0 where the level starts from its parent's ground.
  int base_size = 0;
  // The noise that is added to the parent's ground. Unused if the level has a base.
  kernels::DetailParams detail{};
  kernels::Lattice detail_lattice{};
  std::vector<Stage> stages;
  // The layers that a level passes to its children; the same at each level of a world.
  LayerSet inherited{Layer::kSediment};
  // The layers with a plane of their own while a level is computed; the same at each level.
  LayerSet planes{Layer::kSediment};
  // The height of the sea in height units; kNoSea if the world has no sea.
  std::int32_t sea_level = kernels::kNoSea;
  // The shape of the world: a plane or a sphere.
  const FaceLayout* surface = &PlaneLayout();
  // Whether its blocks have the heights that clients see. The level below stands on these: its
  // ground is finer than the steps that the height curve makes.
  bool keeps_shown_heights = false;
  // Real land that replaces this level's ground; null if it has none.
  std::shared_ptr<const Elevation> elevation;

  // The sum of the stages' reaches; 0 where one block has all of the level.
  int HaloCells() const;
  // How many cells beyond the parent vertices beside a vertex the level reads of its parent.
  int ParentReachCells() const;
  // Whether its only stage makes the level's first ground.
  bool StartsWithStage() const;
  bool OnSphere() const { return surface->FaceBits(level) > 0; }
  std::span<const kernels::BaseInstruction> base() const;
  // From a level's own heights to those that clients see. Empty if they are the same.
  std::span<const kernels::BaseInstruction> height_curve() const;
  // The same for the heights in its blocks.
  std::span<const kernels::BaseInstruction> CurveOfBlocks() const;
};

// CellHeightUnits: the side of a cell in height units. LatticeShift: the default lattice of
// heights, as a shift: the largest power of two that is at most a 64th of the cell.
double CellHeightUnits(double cell_size_m);
int LatticeShift(double cell_size_m);

// The max sum of a level's reaches, in cells: with more, a block would be mostly halo.
inline constexpr int kMaxHaloCells = 192;

// Compiles a level of a specification that has passed Normalise and CheckConstraints, with its real
// land if any. INVALID_ARGUMENT if its stages reach too far, or as CompileBase says.
absl::StatusOr<LevelProgram> CompileLevel(const v1::WorldSpec& spec, int level,
                                          std::shared_ptr<const Elevation> elevation = nullptr);

}  // namespace thalweg::world
