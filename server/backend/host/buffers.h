// The state of one block's windows in host memory, as kernels see it
// (shaders/stages/bindings.glsl).
#pragma once

#include "shaders/stages/pass.glsl"

namespace thalweg::kernels {

struct Buffers {
  const Job* jobs = nullptr;
  const BaseInstruction* program = nullptr;
  const int* parent = nullptr;
  int* height = nullptr;
  int* start = nullptr;
  uint* fraction = nullptr;
  int* flow = nullptr;
  uint* discharge = nullptr;
  int* rate = nullptr;
  int* layers = nullptr;
  uint64_t* movers = nullptr;
  int* result = nullptr;
  uint64_t* sums = nullptr;
  const int* elevation = nullptr;
};

}  // namespace thalweg::kernels
