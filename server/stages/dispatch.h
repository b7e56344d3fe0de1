// The dispatches of a stage, as plain data.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "server/stages/kernel.h"
#include "server/stages/kernel_params.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::stages {

// Runs pass.width x rows invocations of a kernel for each window; or, of a kernel of tiles
// (shaders/stages/tile.glsl), a workgroup for each tile of `rows` rows of tiles over that width.
// The next dispatch sees all that it wrote.
struct Dispatch {
  Kernel kernel;
  kernels::Pass pass;
  int rows = 0;
  KernelParams params;
  // About what an invocation costs, or of a tile all that one of its rows of vertices costs for
  // each column; see InvocationCost.
  double invocation_cost = 0;
  // The columns that a workgroup of a kernel of tiles writes; 0 for other kernels.
  int tile_width = 0;
  // How many of the window's rows one of its rows is.
  int row_height = 1;

  // About what it costs for each window.
  double Cost() const { return invocation_cost * pass.width * rows; }

  // Makes a dispatch of its first rows, and leaves the others to this one. The invocations of a
  // dispatch may run in any order, so the two together do the same.
  Dispatch TakeRows(int count);
};

// The push constants of a dispatch: its pass, then its parameters.
std::vector<std::byte> PushConstants(const Dispatch& dispatch);

// Dispatches that belong together: those of a stage, or those before or after all stages.
struct Segment {
  // The stage's name: "droplet".
  std::string_view stage;
  std::vector<Dispatch> dispatches;
  // Whether this segment continues the stage of the one before.
  bool continues = false;
};

}  // namespace thalweg::stages
