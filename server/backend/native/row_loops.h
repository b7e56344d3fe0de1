// Runs the invocations of a kernel row by row, and has what shaders/stages/bindings.glsl leaves to
// the native backend. Included once by each kernel's source (kernel.cc.in), which is compiled for
// an instruction set: nothing here is shared with other objects. The threads that run a dispatch
// share out its rows, so what kernels add to is atomic: by the compiler's own functions, since
// <atomic> takes half a second to read, and each kernel is compiled apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "server/backend/host/buffers.h"
#include "server/backend/native/kernel_rows.h"
#include "server/stages/independent.h"

// A function that is compiled without what is known of its callers: once GCC 12 knows that a row of
// `base` has 64 lanes or fewer, it unrolls the end of each loop, for twice the time.
#ifdef __clang__
#define THALWEG_BY_ITSELF gnu::noinline
#else
#define THALWEG_BY_ITSELF gnu::noipa
#endif

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

// What is the same on planes and on planets.
struct Invocation : Buffers {
  Pass pass{};
  InvocationId gl_GlobalInvocationID;
  int lane = 0;

  // The registers of all lanes, one after the other: count x kLanes values.
  template <typename T>
  T* TakeRegisters(std::size_t count) {
    std::byte* const taken = register_file + registers_taken * kLanes * sizeof(std::int64_t);
    registers_taken += count;
    if (registers_taken > kMaxRegisters) std::abort();
    return reinterpret_cast<T*>(taken);
  }
  std::size_t registers_taken = 0;
};

// A block of a plane has one window. A copy of its job can't change with what a kernel writes.
struct OneJob {
  Job job;
  const Job& operator[](int /*window*/) const { return job; }
};

struct PlaneBindings : Invocation {
  static constexpr bool kOnSphere = false;
  OneJob jobs;
  void TakeJobs() { jobs.job = *Buffers::jobs; }
};

struct SphereBindings : Invocation {
  static constexpr bool kOnSphere = true;
  void TakeJobs() {}
};

}  // namespace
}  // namespace thalweg::kernels

namespace thalweg::backend::native {
namespace {

template <typename Kernel>
[[gnu::always_inline]] inline Kernel Bound(const Call& call, int window) {
  Kernel kernel;
  static_cast<kernels::Buffers&>(kernel) = call.buffers;
  kernel.TakeJobs();
  kernel.pass = call.pass;
  std::memcpy(&kernel.params, call.params, sizeof(kernel.params));
  kernel.gl_GlobalInvocationID.z = window;
  return kernel;
}

// A row of whole invocations.
template <typename Kernel>
[[gnu::flatten]] void Rows(const Call& call, int window, int first, int last) {
  Kernel kernel = Bound<Kernel>(call, window);
  const int width = call.pass.width;
  for (int y = first; y < last; ++y) {
    kernel.gl_GlobalInvocationID.y = y;
    THALWEG_INDEPENDENT for (int x = 0; x < width; ++x) {
      Kernel invocation = kernel;
      invocation.gl_GlobalInvocationID.x = x;
      invocation.main();
    }
  }
}

// A kernel that runs a program (base): an instruction at all of some invocations, then the next
// one. So a compiler knows what an instruction does while it makes vectors.
template <typename Kernel>
concept RunsProgram = requires(Kernel kernel) {
  kernel.beginProgram();
};

// Runs an instruction, of which kOp is the operation. The kernel's invocation is the first lane's.
template <int kOp, typename Kernel>
[[THALWEG_BY_ITSELF, gnu::flatten]] void RunInstruction(
    const Kernel& kernel, int lanes, const kernels::BaseInstruction& instruction) {
  const Kernel bound = kernel;
  const kernels::BaseInstruction step = instruction;
  THALWEG_INDEPENDENT for (int lane = 0; lane < lanes; ++lane) {
    Kernel invocation = bound;
    invocation.lane = lane;
    invocation.gl_GlobalInvocationID.x += lane;
    if (kernels::isNoise(kOp)) {
      invocation.addNoise(kOp, step);
    } else {
      invocation.compute(kOp, step);
    }
  }
}

template <typename Kernel, int... kOps>
void RunInstruction(Kernel& kernel, int lanes, const kernels::BaseInstruction& step,
                    std::integer_sequence<int, kOps...> /*operations*/) {
  const int op = kernels::operationOf(step);
  ((op == kOps ? RunInstruction<kOps>(kernel, lanes, step) : void()), ...);
  kernel.advance(op);
}

// Before a program, and after it.
template <bool kBegin, RunsProgram Kernel>
[[THALWEG_BY_ITSELF, gnu::flatten]] void RunEnd(const Kernel& kernel, int lanes) {
  const Kernel bound = kernel;
  THALWEG_INDEPENDENT for (int lane = 0; lane < lanes; ++lane) {
    Kernel invocation = bound;
    invocation.lane = lane;
    invocation.gl_GlobalInvocationID.x += lane;
    if (kBegin) {
      invocation.begin();
    } else if (!invocation.outsidePass()) {
      invocation.finish();
    }
  }
}

template <RunsProgram Kernel>
void RowsByProgram(const Call& call, int window, int first, int last) {
  Kernel kernel = Bound<Kernel>(call, window);
  const int width = call.pass.width;
  for (int y = first; y < last; ++y) {
    kernel.gl_GlobalInvocationID.y = y;
    for (int x = 0; x < width; x += kernels::kLanes) {
      const int lanes = width - x < kernels::kLanes ? width - x : kernels::kLanes;
      kernel.gl_GlobalInvocationID.x = x;
      kernel.beginProgram();
      RunEnd<true>(kernel, lanes);
      for (int at = 0; at < kernel.params.instructions; ++at) {
        RunInstruction(kernel, lanes, kernel.program[at],
                       std::make_integer_sequence<int, kernels::kOpLatitude + 1>());
      }
      RunEnd<false>(kernel, lanes);
    }
  }
}

template <typename Kernel>
constexpr RunRows RowsOf() {
  if constexpr (RunsProgram<Kernel>) {
    return &RowsByProgram<Kernel>;
  } else {
    return &Rows<Kernel>;
  }
}

}  // namespace
}  // namespace thalweg::backend::native

// What stages keep between functions; bindings.glsl has the same for one invocation.
// `lane` is the invocation that is meant.
#define REGISTER(T, name) T* name = TakeRegisters<T>(1);
#define REGISTERS(T, name, count) T* name = TakeRegisters<T>(count);
#define OF(name) name[lane]
#define AT(name, k) name[(k)*kLanes + lane]
