// Runs the invocations of a kernel row by row. Included once by each kernel's source
// (kernel.cc.in), which is compiled for an instruction set: nothing here is shared with other
// objects.
#pragma once

#include <cstdlib>
#include <cstring>
#include <utility>

#include "server/backend/native/bindings.h"
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
