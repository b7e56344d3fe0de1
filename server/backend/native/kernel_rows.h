// A kernel, compiled for an instruction set: what runs rows of its invocations.
#pragma once

#include <cstddef>

#include "server/backend/host/buffers.h"

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

}  // namespace thalweg::backend::native
