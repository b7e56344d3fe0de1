// Runs all invocations of a kernel, one after the other, and is the C++ twin of
// shaders/stages/bindings.glsl: all that a stage's main() uses, as members. One thread computes a
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

inline void atomicAdd(uint& memory, uint value) { memory += value; }
inline void atomicMin(int& memory, int value) { memory = value < memory ? value : memory; }
inline void atomicMax(int& memory, int value) { memory = value > memory ? value : memory; }
inline void atomicAdd(int& memory, int value) { memory += value; }

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

// What bindings.glsl also defines.
#define PARAMETERS(T) T params{};
#define GUARDED true
#define REGISTER(T, name) T name;
#define REGISTERS(T, name, count) T name[count];
#define OF(name) name
#define AT(name, k) name[k]
#define ADD_SUMS(i, low, high) sums[i] += (uint64_t(high) << 32) | uint64_t(low)
#define ADD_LONG(i, value) sums[i] += uint64_t(value)
#define ADD_WIDE(i, value) sums[i] += (value)
#define LOAD_SUMS(i) sums[i]
#define CLEAR_SUMS(i) sums[i] = 0
