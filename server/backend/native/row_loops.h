// Runs the invocations of a kernel row by row, and has what shaders/stages/bindings.glsl leaves to
// the native backend. Included once by each kernel's source (kernel.cc.in), which is compiled for
// an instruction set: nothing here is shared with other objects. The threads that run a dispatch
// share out its rows, so what kernels add to is atomic: by the compiler's own functions, since
// <atomic> takes half a second to read, and each kernel is compiled apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
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
  bool ownsNeighbours() const { return true; }
  bool isOwnedNeighbour(int /*slot*/, int /*column*/, int /*row*/) const { return true; }
};

// A block of a planet has a window on each face that it touches; a row is in one of them.
struct SphereBindings : Invocation {
  static constexpr bool kOnSphere = true;
  void TakeJobs() {}
  bool ownsNeighbours() const { return false; }
  bool isOwnedNeighbour(int /*slot*/, int /*column*/, int /*row*/) const { return false; }
};

// A copy of the job of an invocation's own window, by value: its address in a register would keep
// rows from being vectors.
struct WindowJobs {
  Job job;
  int window;
  const Job* all;
  Job operator[](int other) const {
    if (other == window) return job;
    return all[other];
  }
};

// Of kernels whose rows are vectors between the edges of faces. CMake lists them.
struct InnerSphereBindings : Invocation {
  static constexpr bool kOnSphere = true;
  WindowJobs jobs{};
  // A compiler that knows it has no owners to look for.
  bool is_inner = false;

  void TakeJobs() {
    jobs = {Buffers::jobs[gl_GlobalInvocationID.z], gl_GlobalInvocationID.z, Buffers::jobs};
  }
  bool ownsNeighbours() const { return is_inner; }
  bool isOwnedNeighbour(int slot, int column, int row) const {
    const int east = column - pass.x - gl_GlobalInvocationID.x;
    const int south = row - pass.y - gl_GlobalInvocationID.y;
    return is_inner && slot == jobs.window && -1 <= east && east <= 1 && -1 <= south && south <= 1;
  }
};

}  // namespace
}  // namespace thalweg::kernels

namespace thalweg::backend::native {
namespace {

template <typename Kernel>
[[gnu::always_inline]] inline Kernel Bound(const Call& call, int window) {
  Kernel kernel;
  static_cast<kernels::Buffers&>(kernel) = call.buffers;
  kernel.gl_GlobalInvocationID.z = window;
  kernel.TakeJobs();
  kernel.pass = call.pass;
  std::memcpy(&kernel.params, call.params, sizeof(kernel.params));
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

// Row y from column `first` to before `last`, one invocation after the other.
template <typename Kernel>
[[THALWEG_BY_ITSELF, gnu::flatten]] void RowNearEdges(const Call& call, int window, int y,
                                                      int first, int last) {
  Kernel kernel = Bound<Kernel>(call, window);
  kernel.gl_GlobalInvocationID.y = y;
  for (int x = first; x < last; ++x) {
    kernel.gl_GlobalInvocationID.x = x;
    Kernel(kernel).main();
  }
}

// Rows of InnerSphereBindings.
template <typename Kernel>
[[gnu::flatten]] void RowsBetweenEdges(const Call& call, int window, int first, int last) {
  Kernel kernel = Bound<Kernel>(call, window);
  const kernels::Job job = kernel.jobs.job;
  const kernels::Pass pass = call.pass;
  const int west = std::max(job.west_owned + 1 - pass.x, 0);
  const int east = std::min(job.east_owned - pass.x, pass.width);
  for (int y = first; y < last; ++y) {
    kernel.gl_GlobalInvocationID.y = y;
    const int row = pass.y + y;
    const bool has_inner = row > job.north_owned && row < job.south_owned && west < east;
    const int begin = has_inner ? west : pass.width;
    const int end = has_inner ? east : pass.width;
    if (begin > 0) RowNearEdges<Kernel>(call, window, y, 0, begin);
    // As the pass's width, so that a compiler sees that no invocation is beyond it.
    kernel.pass.width = end;
    THALWEG_INDEPENDENT for (int x = begin; x < end; ++x) {
      Kernel invocation = kernel;
      invocation.gl_GlobalInvocationID.x = x;
      invocation.is_inner = true;
      invocation.main();
    }
    if (end < pass.width) RowNearEdges<Kernel>(call, window, y, end, pass.width);
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
  kernel.advance(op, step);
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
                       std::make_integer_sequence<int, kernels::kOperations>());
      }
      RunEnd<false>(kernel, lanes);
    }
  }
}

template <typename Kernel>
constexpr RunRows RowsOf() {
  if constexpr (RunsProgram<Kernel>) {
    return &RowsByProgram<Kernel>;
  } else if constexpr (std::is_base_of_v<kernels::InnerSphereBindings, Kernel>) {
    return &RowsBetweenEdges<Kernel>;
  } else {
    return &Rows<Kernel>;
  }
}

}  // namespace
}  // namespace thalweg::backend::native

// What stages keep between functions; bindings.glsl has the same for one invocation.
// `lane` is the invocation that is meant.
#define OWNS_NEIGHBOURS ownsNeighbours()
#define IS_OWNED_NEIGHBOUR(slot, column, row) isOwnedNeighbour(slot, column, row)
#define REGISTER(T, name) T* name = TakeRegisters<T>(1);
#define REGISTERS(T, name, count) T* name = TakeRegisters<T>(count);
#define OF(name) name[lane]
#define AT(name, k) name[(k)*kLanes + lane]
