#include "shaders/spirv.h"

namespace thalweg::spirv {

std::span<const std::uint32_t> Find(std::string_view stage, Variant variant) {
  for (const Module& module : Modules()) {
    if (module.stage == stage && module.variant == variant) return module.words;
  }
  return {};
}

}  // namespace thalweg::spirv
