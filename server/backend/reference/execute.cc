#include "server/backend/reference/execute.h"

#include <array>
#include <cstddef>

#include "server/stages/dispatch.h"

namespace thalweg::backend {

// Each is in the source of its kernel (kernel.cc.in).
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) \
  void Sweep##Name(const stages::Dispatch& dispatch, const HostBlockState& state);
#define THALWEG_GPU_KERNEL(Name, stem, on_plane, on_sphere)
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL

namespace {

using SweepKernel = void (*)(const stages::Dispatch&, const HostBlockState&);

// Null for those that a recording has only for a GPU.
constexpr std::array<SweepKernel, stages::kKernelCount> kSweeps = {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) &Sweep##Name,
#define THALWEG_GPU_KERNEL(Name, stem, on_plane, on_sphere) nullptr,
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
};

}  // namespace

void ExecutePlainly(const stages::Dispatch& dispatch, const HostBlockState& state) {
  kSweeps[static_cast<std::size_t>(dispatch.kernel)](dispatch, state);
}

}  // namespace thalweg::backend
