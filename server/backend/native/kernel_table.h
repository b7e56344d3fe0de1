// The kernels of shaders/stages, compiled for an instruction set.
#pragma once

#include <array>
#include <cstddef>

#include "server/backend/host/buffers.h"
#include "server/stages/kernel.h"

namespace thalweg::backend::native {

// A dispatch on a block. params: the bytes of the kernel's parameters.
struct Call {
  const kernels::Buffers& buffers;
  const kernels::Pass& pass;
  const std::byte* params;
};

// Runs the invocations of some rows of a window: from `first` to before `last`.
using RunRows = void (*)(const Call& call, int window, int first, int last);

struct KernelRows {
  RunRows on_plane;
  RunRows on_sphere;
};

using KernelTable = std::array<KernelRows, stages::kKernelCount>;

}  // namespace thalweg::backend::native
