// The kernels of shaders/stages, by name: the list is shaders/stages/kernels.inc.
#pragma once

#include <string_view>

namespace thalweg::stages {

enum class Kernel {
#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) k##Name,
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
#include "shaders/stages/kernels.inc"
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL
};

#define THALWEG_KERNEL(Name, stem, on_plane, on_sphere) +1
#define THALWEG_GPU_KERNEL THALWEG_KERNEL
inline constexpr int kKernelCount = 0
#include "shaders/stages/kernels.inc"
    ;
#undef THALWEG_GPU_KERNEL
#undef THALWEG_KERNEL

// The stem of the kernel's file: "droplet_scatter".
std::string_view KernelName(Kernel kernel);

// About what an invocation costs, on a plane or on a planet: picoseconds of a core with lavapipe.
double InvocationCost(Kernel kernel, bool on_sphere);

}  // namespace thalweg::stages
