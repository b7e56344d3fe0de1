// The noise graph of the base, as a program of the stack machine in shaders/kernels/base.glsl.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "shaders/kernels/base.glsl"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// The max length of a program; a backend may rely on it.
inline constexpr int kMaxBaseInstructions = 1024;

// The grid that a program runs over: a level's vertices, of a plane or in space.
struct NoiseGrid {
  double cell_size_m = 1;
  bool in_space = false;
  int level = 0;
};

// Compiles graphs without named nodes that have passed Normalise and CheckConstraints, for a
// level's cell size. Running the program leaves the ground in metres and, unless `steepness` is
// null, the steepness of rivers. INVALID_ARGUMENT names the node that is too deep, too long or too
// large for the machine.
absl::StatusOr<std::vector<kernels::BaseInstruction>> CompileBase(const v1::Node& base,
                                                                  const v1::Node* steepness,
                                                                  const NoiseGrid& grid);

}  // namespace thalweg::world
