// The C++ twin of shaders/stages/bindings.glsl: all that a stage's main() uses, as members. One
// thread computes a block, so sums need no atomics.
#pragma once

#include "server/backend/host/buffers.h"

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
