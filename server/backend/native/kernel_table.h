// The kernels of shaders/stages, compiled for an instruction set.
#pragma once

#include <array>

#include "server/backend/native/kernel_rows.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend::native {

// One for each kernel; null for those that only a GPU runs.
using KernelTable = std::array<const KernelRows*, stages::kKernelCount>;

}  // namespace thalweg::backend::native
