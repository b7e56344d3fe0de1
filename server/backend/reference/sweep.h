// Runs all invocations of a kernel, one after the other. Included by the source of each kernel
// (kernel.cc.in).
#pragma once

#include "server/backend/host/host_backend.h"
#include "server/backend/reference/bindings.h"

namespace thalweg::backend {

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

}  // namespace thalweg::backend
