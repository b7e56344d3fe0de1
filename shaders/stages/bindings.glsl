// What every stage sees: its pass and the state of the blocks. In C++ the buffers are members of what a kernel's file is
// included into (server/backend/host/buffers.h), and this file only has the macros that both languages write in the same way.
#ifndef THALWEG_STAGES_BINDINGS
#define THALWEG_STAGES_BINDINGS

#ifdef __cplusplus
#define PARAMETERS(T) T params{};

// Whether the movers of a vertex beside the window may be read, though they mean nothing.
#define GUARDED true
#else
#extension GL_GOOGLE_include_directive : require
#include "pass.glsl"

// The type of `sums`. A device without 64-bit atomics has two words for each.
#ifdef THALWEG_ATOMIC64
#extension GL_EXT_shader_atomic_int64 : require
#define Sum uint64_t
#else
#define Sum uint
#endif

#define THALWEG_INPUT(number, Name, name, Type) \
  layout(std430, binding = number) readonly buffer Name { Type name[]; };
#define THALWEG_BINDING(number, Name, name, Type) \
  layout(std430, binding = number) buffer Name { Type name[]; };
#include "bindings.inc"

// Whether the world is a planet. Fixed when a pipeline is made, so it costs nothing on a plane.
layout(constant_id = 0) const bool kOnSphere = false;

#define PARAMETERS(T) layout(push_constant) uniform Push { Pass pass; T params; };
#define GUARDED false
#endif

// Whether the window is known to own an invocation's vertex and its neighbours; and whether a position is known to be one of those.
// (The native backend knows it for parts of rows, which it computes without these conditions.)
#ifndef OWNS_NEIGHBOURS
#define OWNS_NEIGHBOURS false
#define IS_OWNED_NEIGHBOUR(slot, column, row) false
#endif

// Values that an invocation keeps between functions; OF(name) is one, and AT(name, k) one of several. (The native backend runs
// several invocations side by side, and keeps those of all.)
#ifndef REGISTER
#define REGISTER(T, name) T name;
#define REGISTERS(T, name, count) T name[count];
#define OF(name) name
#define AT(name, k) name[k]
#endif

// Adds to a vertex's two sums: the low word, and the high word, which wraps. The low word's total
// stays under 2^32, so one 64-bit sum and two 32-bit sums have the same bits.
#if defined(THALWEG_ATOMIC64) || defined(__cplusplus)
#define ADD_SUMS(i, low, high) atomicAdd(sums[i], (uint64_t(high) << 32) | uint64_t(low))
#define ADD_LONG(i, value) atomicAdd(sums[i], uint64_t(value))
#define ADD_WIDE(i, value) atomicAdd(sums[i], uint64_t(value))
#define LOAD_SUMS(i) sums[i]
#define CLEAR_SUMS(i) sums[i] = uint64_t(0)
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
#define LOAD_SUMS(i) ((uint64_t(sums[2 * (i) + 1]) << 32) | uint64_t(sums[2 * (i)]))
#define CLEAR_SUMS(i)      \
  {                        \
    sums[2 * (i)] = 0u;    \
    sums[2 * (i) + 1] = 0u; \
  }
#endif

#endif
