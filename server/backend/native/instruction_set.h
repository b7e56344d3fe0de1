// The instruction sets that kernels are compiled for.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/native/kernel_table.h"

namespace thalweg::backend::native {

struct InstructionSet {
  // "avx512", "avx512-gather", "avx2" or "baseline".
  const char* name;
  // Whether this processor has it.
  bool runs_here;
  const KernelTable& kernels;
};

// All of this build, the best first. The last one runs on every processor of this architecture.
std::vector<InstructionSet> InstructionSets();

// The one with this name, or if it is empty the first that runs here. INVALID_ARGUMENT if there is
// no such instruction set, FAILED_PRECONDITION if this processor lacks it.
absl::StatusOr<InstructionSet> Choose(const std::vector<InstructionSet>& sets,
                                      const std::string& name);

}  // namespace thalweg::backend::native
