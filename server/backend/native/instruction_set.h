// The instruction sets that this program's kernels are compiled for.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/backend/native/kernel_rows.h"
#include "server/stages/dispatch.h"

namespace thalweg::backend::native {

// The kernels of shaders/stages, compiled for an instruction set. One for each kernel; null for
// those that only a GPU runs.
using KernelTable = std::array<const KernelRows*, stages::kKernelCount>;

struct InstructionSet {
  // As SetsOfProcessor() names it.
  std::string name;
  // Whether this processor has it.
  bool runs_here;
  const KernelTable* kernels;
};

// All of this program: the best of this processor first, and those that it lacks last.
std::vector<InstructionSet> InstructionSets();

// The one with this name, or if it is empty the first that runs here. INVALID_ARGUMENT if there is
// no such instruction set, FAILED_PRECONDITION if this processor lacks it, or has none of them.
absl::StatusOr<InstructionSet> Choose(const std::vector<InstructionSet>& sets,
                                      const std::string& name);

}  // namespace thalweg::backend::native
