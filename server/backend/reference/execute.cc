#include "server/backend/reference/execute.h"

#include <cstdlib>

#include "server/backend/reference/bindings.h"

namespace thalweg::kernels {
// Includes each kernel's file in a struct NameKernel, whose base class has the buffers.
#include "kernel_structs.inc"
}  // namespace thalweg::kernels

namespace thalweg::backend {
namespace {

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

}  // namespace

void ExecutePlainly(const stages::Dispatch& dispatch, const HostBlockState& state) {
  switch (dispatch.kernel) {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) \
  case stages::Kernel::k##Name:                         \
    Sweep<kernels::Name##Kernel>(dispatch, state);      \
    break;
#define THALWEG_GPU_KERNEL(Name, stem, on_plane, on_sphere) \
  case stages::Kernel::k##Name:                             \
    std::abort();  // a recording has these only for a GPU
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
  }
}

}  // namespace thalweg::backend
