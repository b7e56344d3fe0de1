// The state of one block's windows in host memory, as kernels see it
// (shaders/stages/bindings.inc).
#pragma once

#include "shaders/stages/pass.glsl"

namespace thalweg::kernels {

using Sum = uint64_t;

struct Buffers {
#define THALWEG_INPUT(number, Name, name, Type) const Type* name = nullptr;
#define THALWEG_BINDING(number, Name, name, Type) Type* name = nullptr;
#include "shaders/stages/bindings.inc"
};

}  // namespace thalweg::kernels
