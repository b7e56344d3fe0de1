// Runs all invocations of a kernel, one after the other, and has all that a stage's main() uses, as
// members (shaders/stages/bindings.glsl). One thread computes a
// block, so sums need no atomics. Included by the source of each kernel (kernel.cc.in).
#pragma once

#include "server/backend/host/buffers.h"
#include "server/backend/host/host_backend.h"

namespace thalweg::kernels {

using glm::uvec3;

// The state of one window, and the invocation that a stage computes.
struct Bindings : Buffers {
  // Whether the world is a planet.
  bool kOnSphere = false;

  Pass pass{};
  uvec3 gl_GlobalInvocationID{};
};

template <typename Value>
inline void atomicAdd(Value& memory, Value value) {
  memory += value;
}
inline void atomicMin(int& memory, int value) { memory = value < memory ? value : memory; }
inline void atomicMax(int& memory, int value) { memory = value > memory ? value : memory; }

}  // namespace thalweg::kernels

namespace thalweg::backend {

template <typename KernelStruct>
void Sweep(const stages::Dispatch& dispatch, const HostBlockState& state) {
  KernelStruct kernel;
  static_cast<kernels::Buffers&>(kernel) = state.buffers;
  kernel.kOnSphere = state.on_sphere;
  kernel.pass = dispatch.pass;
  kernel.params = dispatch.params.As<decltype(kernel.params)>();
  for (int z = 0; z < state.windows; ++z) {
    kernel.gl_GlobalInvocationID.z = static_cast<glm::uint>(z);
    for (int y = 0; y < dispatch.rows; ++y) {
      kernel.gl_GlobalInvocationID.y = static_cast<glm::uint>(y);
      for (int x = 0; x < dispatch.pass.width; ++x) {
        kernel.gl_GlobalInvocationID.x = static_cast<glm::uint>(x);
        kernel.main();
      }
    }
  }
}

}  // namespace thalweg::backend
