#include "server/stages/dispatch.h"

namespace thalweg::stages {

std::string_view KernelName(Kernel kernel) {
  constexpr std::string_view kNames[] = {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) #stem,
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
  };
  return kNames[static_cast<std::size_t>(kernel)];
}

double InvocationCost(Kernel kernel, bool on_sphere) {
  struct Cost {
    double on_plane;
    double on_sphere;
  };
  constexpr Cost kCosts[] = {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) {on_plane * 1e3, on_sphere * 1e3},
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
  };
  const Cost& cost = kCosts[static_cast<std::size_t>(kernel)];
  return on_sphere ? cost.on_sphere : cost.on_plane;
}

Dispatch Dispatch::TakeRows(int count) {
  Dispatch taken = *this;
  taken.rows = count;
  pass.y += count * row_height;
  rows -= count;
  return taken;
}

std::vector<std::byte> PushConstants(const Dispatch& dispatch) {
  const std::span<const std::byte> params = dispatch.params.bytes();
  std::vector<std::byte> bytes(sizeof(kernels::Pass) + params.size());
  std::memcpy(bytes.data(), &dispatch.pass, sizeof(kernels::Pass));
  std::memcpy(bytes.data() + sizeof(kernels::Pass), params.data(), params.size());
  return bytes;
}

}  // namespace thalweg::stages
