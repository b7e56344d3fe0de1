// The noise graph of level 0's ground, as a program of the stack machine in
// shaders/kernels/base.glsl.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "shaders/kernels/base.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The longest program; a backend may count on it.
inline constexpr int kMaxBaseInstructions = 256;

// Where a program is run: over the vertices of level 0, of a plane or in space.
struct NoiseGrid {
  double cell_size_m = 1;
  bool in_space = false;
};

// Compiles graphs that have passed Normalise and CheckConstraints, without named nodes, for level
// 0's cell size. Running the program leaves the ground in metres and, unless `steepness` is null,
// the steepness of rivers. INVALID_ARGUMENT names the node that is too deep, too long or too large
// for the machine.
absl::StatusOr<std::vector<kernels::BaseInstruction>> CompileBase(const v1::Node& base,
                                                                  const v1::Node* steepness,
                                                                  const NoiseGrid& grid);

}  // namespace thalweg::world
