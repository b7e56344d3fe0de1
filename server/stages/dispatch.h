// What a stage becomes: dispatches of kernels, as plain data.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "server/stages/kernel.h"
#include "server/stages/kernel_params.h"
#include "shaders/stages/pass.glsl"

namespace thalweg::stages {

// pass.width x rows invocations of a kernel for each block. All that a dispatch writes is seen by
// the next one.
struct Dispatch {
  Kernel kernel;
  kernels::Pass pass;
  int rows = 0;
  KernelParams params;
};

// The push constants of a dispatch: its pass, then its parameters.
std::vector<std::byte> PushConstants(const Dispatch& dispatch);

// The dispatches that belong together, one after the other: a stage, what comes before all stages,
// or what comes after them.
struct Segment {
  // What it is called: "droplet".
  std::string_view stage;
  std::vector<Dispatch> dispatches;
  // Whether it goes on with what the segment before it began.
  bool continues = false;
};

}  // namespace thalweg::stages
