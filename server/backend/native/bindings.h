// The twin of shaders/stages/bindings.glsl for the native backend. The threads that run a dispatch
// share out its rows, so what kernels add to is atomic: by the compiler's own functions, since
// <atomic> takes half a second to read, and each kernel is compiled apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/backend/host/buffers.h"

namespace thalweg::kernels {
namespace {

// How many invocations of a kernel with registers run side by side: their registers fit into a
// core's first cache.
constexpr int kLanes = 64;

// Where their registers are: 8 bytes for each at most.
constexpr std::size_t kMaxRegisters = 48;
alignas(64) thread_local std::byte register_file[kMaxRegisters * kLanes * sizeof(std::int64_t)];

// The index of an invocation. Signed, as columns and rows are: a compiler knows then that they grow
// by one.
struct InvocationId {
  int x = 0;
  int y = 0;
  int z = 0;
};

template <typename Value>
inline void atomicAdd(Value& memory, Value value) {
  __atomic_fetch_add(&memory, value, __ATOMIC_RELAXED);
}

// most: whether the larger value stays, or else the smaller one.
template <bool most>
inline void KeepBound(int& memory, int value) {
  int seen = __atomic_load_n(&memory, __ATOMIC_RELAXED);
  while ((most ? value > seen : value < seen) &&
         !__atomic_compare_exchange_n(&memory, &seen, value, /*weak=*/true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}
inline void atomicMin(int& memory, int value) { KeepBound<false>(memory, value); }
inline void atomicMax(int& memory, int value) { KeepBound<true>(memory, value); }

}  // namespace
}  // namespace thalweg::kernels

#define PARAMETERS(T) T params{};
#define GUARDED true
// `lane` is the invocation that is meant.
#define REGISTER(T, name) T* name = TakeRegisters<T>(1);
#define REGISTERS(T, name, count) T* name = TakeRegisters<T>(count);
#define OF(name) name[lane]
#define AT(name, k) name[(k)*kLanes + lane]
#define ADD_SUMS(i, low, high) atomicAdd(sums[i], (uint64_t(high) << 32) | uint64_t(low))
#define ADD_LONG(i, value) atomicAdd(sums[i], uint64_t(value))
#define ADD_WIDE(i, value) atomicAdd(sums[i], uint64_t(value))
#define LOAD_SUMS(i) sums[i]
#define CLEAR_SUMS(i) sums[i] = 0
