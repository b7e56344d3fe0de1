#include "server/stages/kernel.h"

#include <cstddef>

namespace thalweg::stages {

std::string_view KernelName(Kernel kernel) {
  constexpr std::string_view kNames[] = {
#define THALWEG_KERNEL(Name, stem) #stem,
#include "shaders/stages/kernels.inc"
#undef THALWEG_KERNEL
  };
  return kNames[static_cast<std::size_t>(kernel)];
}

}  // namespace thalweg::stages
