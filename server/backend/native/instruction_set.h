// The instruction sets that kernels are compiled for.
#pragma once

#include <vector>

#include "server/backend/native/kernel_table.h"

namespace thalweg::backend::native {

struct InstructionSet {
  // "avx512", "avx2" or "baseline".
  const char* name;
  // Whether this processor has it.
  bool runs_here;
  const KernelTable& kernels;
};

// All of this build, the best first. The last one runs on every processor of this architecture.
std::vector<InstructionSet> InstructionSets();

}  // namespace thalweg::backend::native
