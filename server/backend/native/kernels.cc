// Compiled once for each instruction set, which names the function at the end.
#include <cstring>

#include "server/backend/native/bindings.h"
#include "server/backend/native/kernel_table.h"

// Includes each kernel's file in a struct NameKernel, whose base class has the buffers.
namespace thalweg::kernels {
namespace {
namespace on_plane {
// A block of a plane has one window. A copy of its job in registers can't change with what a kernel writes.
struct OneJob {
  Job job;
  const Job& operator[](int /*window*/) const { return job; }
};
struct Bindings : Buffers {
  static constexpr bool kOnSphere = false;
  OneJob jobs;
  Pass pass{};
  Invocation gl_GlobalInvocationID;
  void TakeJobs() { jobs.job = *Buffers::jobs; }
};
#include "kernel_structs.inc"
}  // namespace on_plane
namespace on_sphere {
struct Bindings : Buffers {
  static constexpr bool kOnSphere = true;
  Pass pass{};
  Invocation gl_GlobalInvocationID;
  void TakeJobs() {}
};
#include "kernel_structs.inc"
}  // namespace on_sphere
}  // namespace
}  // namespace thalweg::kernels

namespace thalweg::backend::native {
namespace {

// The invocations of a row do not depend on each other, so a compiler may run several at once.
#ifdef __clang__
#define THALWEG_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define THALWEG_INDEPENDENT _Pragma("GCC ivdep")
#endif

// Not a template: GCC 12 forgets there that invocations are independent.
#define THALWEG_ROWS(Function, Kernel)                                                    \
  [[gnu::flatten]] void Function(const Call& call, int window, int first, int last) {     \
    Kernel kernel;                                                                        \
    static_cast<kernels::Buffers&>(kernel) = call.buffers;                                \
    kernel.TakeJobs();                                                                    \
    kernel.pass = call.pass;                                                              \
    std::memcpy(&kernel.params, call.params, sizeof(kernel.params));                      \
    kernel.gl_GlobalInvocationID.z = window;                                              \
    const int width = call.pass.width;                                                    \
    for (int y = first; y < last; ++y) {                                                  \
      kernel.gl_GlobalInvocationID.y = y;                                                 \
      THALWEG_INDEPENDENT for (int x = 0; x < width; ++x) {                               \
        Kernel invocation = kernel;                                                       \
        invocation.gl_GlobalInvocationID.x = x;                                           \
        invocation.main();                                                                \
      }                                                                                   \
    }                                                                                     \
  }
#define THALWEG_KERNEL(Name, stem, plane_cost, sphere_cost)   \
  THALWEG_ROWS(Name##OnPlane, kernels::on_plane::Name##Kernel) \
  THALWEG_ROWS(Name##OnSphere, kernels::on_sphere::Name##Kernel)
#include "shaders/stages/kernels.inc"
#undef THALWEG_KERNEL

constexpr KernelTable kTable = {{
#define THALWEG_KERNEL(Name, stem, plane_cost, sphere_cost) {&Name##OnPlane, &Name##OnSphere},
#include "shaders/stages/kernels.inc"
#undef THALWEG_KERNEL
}};

}  // namespace

const KernelTable& THALWEG_TABLE() { return kTable; }

}  // namespace thalweg::backend::native
