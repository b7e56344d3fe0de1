// Compiled once for each instruction set, which names the function at the end.
#include <cstring>

#include "server/backend/native/bindings.h"
#include "server/backend/native/kernel_table.h"

// Includes each kernel's file in a struct NameKernel, whose base class has the buffers.
namespace thalweg::kernels {
namespace {
namespace on_plane {
struct Bindings : Buffers {
  static constexpr bool kOnSphere = false;
  Pass pass{};
  Invocation gl_GlobalInvocationID;
};
#include "kernel_structs.inc"
}  // namespace on_plane
namespace on_sphere {
struct Bindings : Buffers {
  static constexpr bool kOnSphere = true;
  Pass pass{};
  Invocation gl_GlobalInvocationID;
};
#include "kernel_structs.inc"
}  // namespace on_sphere
}  // namespace
}  // namespace thalweg::kernels

namespace thalweg::backend::native {
namespace {

// The invocations of a row do not depend on each other, so a compiler may run several at once.
template <typename Kernel>
[[gnu::flatten]] void Rows(const Call& call, int window, int first, int last) {
  Kernel kernel;
  static_cast<kernels::Buffers&>(kernel) = call.buffers;
  kernel.pass = call.pass;
  std::memcpy(&kernel.params, call.params, sizeof(kernel.params));
  kernel.gl_GlobalInvocationID.z = window;
  const int width = call.pass.width;
  for (int y = first; y < last; ++y) {
    kernel.gl_GlobalInvocationID.y = y;
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int x = 0; x < width; ++x) {
      Kernel invocation = kernel;
      invocation.gl_GlobalInvocationID.x = x;
      invocation.main();
    }
  }
}

constexpr KernelTable kTable = {{
#define THALWEG_KERNEL(Name, stem, plane_cost, sphere_cost) \
  {&Rows<kernels::on_plane::Name##Kernel>, &Rows<kernels::on_sphere::Name##Kernel>},
#include "shaders/stages/kernels.inc"
#undef THALWEG_KERNEL
}};

}  // namespace

const KernelTable& THALWEG_TABLE() { return kTable; }

}  // namespace thalweg::backend::native
