// What every stage sees: its pass and the state of the blocks. The C++ twin of this file, for the
// reference backend, is server/backend/reference/sweep.h; the stages themselves are one source.
#ifndef __cplusplus
#ifndef THALWEG_STAGES_BINDINGS
#define THALWEG_STAGES_BINDINGS
#extension GL_GOOGLE_include_directive : require
#include "pass.glsl"

layout(std430, binding = 0) readonly buffer Jobs { Job jobs[]; };
layout(std430, binding = 1) readonly buffer Program { BaseInstruction program[]; };
layout(std430, binding = 2) readonly buffer Parent { int parent[]; };
layout(std430, binding = 3) buffer Height { int height[]; };
layout(std430, binding = 4) buffer Start { int start[]; };
layout(std430, binding = 5) buffer Fraction { uint fraction[]; };
layout(std430, binding = 6) buffer Flow { int flow[]; };
layout(std430, binding = 7) buffer Discharge { uint discharge[]; };
layout(std430, binding = 8) buffer Rate { int rate[]; };
layout(std430, binding = 9) buffer Layers { int layers[]; };
layout(std430, binding = 10) buffer Movers { uint64_t movers[]; };
layout(std430, binding = 11) buffer Result { int result[]; };
#ifdef THALWEG_ATOMIC64
#extension GL_EXT_shader_atomic_int64 : require
layout(std430, binding = 12) buffer Sums { uint64_t sums[]; };
#else
layout(std430, binding = 12) buffer Sums { uint sums[]; };
#endif

layout(std430, binding = 13) readonly buffer Elevation { int elevation[]; };

// Whether the world is a planet. Fixed when a pipeline is made, so it costs nothing on a plane.
layout(constant_id = 0) const bool kOnSphere = false;

#define PARAMETERS(T) layout(push_constant) uniform Push { Pass pass; T params; };

// Whether the movers of a vertex beside the window may be read, though they mean nothing.
#define GUARDED false

// Values that an invocation keeps between functions; OF(name) is one, and AT(name, k) one of several. (A processor runs
// several invocations side by side, and keeps those of all.)
#define REGISTER(T, name) T name;
#define REGISTERS(T, name, count) T name[count];
#define OF(name) name
#define AT(name, k) name[k]

// Adds to a vertex's two sums: the low word, and the high word, which wraps. The low word's total
// stays under 2^32, so one 64-bit sum and two 32-bit sums have the same bits.
#ifdef THALWEG_ATOMIC64
#define ADD_SUMS(i, low, high) atomicAdd(sums[i], (uint64_t(high) << 32) | uint64_t(low))
#define ADD_LONG(i, value) atomicAdd(sums[i], uint64_t(value))
#define ADD_WIDE(i, value) atomicAdd(sums[i], value)
#else
#define ADD_SUMS(i, low, high)     \
  {                                \
    atomicAdd(sums[2 * (i)], low); \
    atomicAdd(sums[2 * (i) + 1], high); \
  }
// Exactly one addition sees a carry: the one that makes it.
#define ADD_LONG(i, value)                                                          \
  {                                                                                 \
    uint before = atomicAdd(sums[2 * (i)], value);                                  \
    if (before + (value) < before) atomicAdd(sums[2 * (i) + 1], 1u);                \
  }
#define ADD_WIDE(i, value)                                    \
  {                                                           \
    ADD_LONG(i, uint(value));                                 \
    atomicAdd(sums[2 * (i) + 1], uint((value) >> 32));        \
  }
#endif
#ifdef THALWEG_ATOMIC64
#define LOAD_SUMS(i) sums[i]
#define CLEAR_SUMS(i) sums[i] = uint64_t(0)
#else
#define LOAD_SUMS(i) ((uint64_t(sums[2 * (i) + 1]) << 32) | uint64_t(sums[2 * (i)]))
#define CLEAR_SUMS(i)      \
  {                        \
    sums[2 * (i)] = 0u;    \
    sums[2 * (i) + 1] = 0u; \
  }
#endif
#endif
#endif
