// The kernels of shaders/stages, by name: the list is shaders/stages/kernels.inc.
#pragma once

#include <string_view>

namespace thalweg::stages {

enum class Kernel {
#define THALWEG_KERNEL(Name, stem) k##Name,
#include "shaders/stages/kernels.inc"
#undef THALWEG_KERNEL
};

#define THALWEG_KERNEL(Name, stem) +1
inline constexpr int kKernelCount = 0
#include "shaders/stages/kernels.inc"
    ;
#undef THALWEG_KERNEL

// The stem of the kernel's file: "droplet_scatter".
std::string_view KernelName(Kernel kernel);

}  // namespace thalweg::stages
