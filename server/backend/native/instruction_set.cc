#include "server/backend/native/instruction_set.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace thalweg::backend::native {

const KernelTable& BaselineKernels();
#ifdef __x86_64__
const KernelTable& Avx2Kernels();
const KernelTable& Avx512Kernels();
#endif

std::vector<InstructionSet> InstructionSets() {
  return {
#ifdef __x86_64__
      {"avx512", __builtin_cpu_supports("x86-64-v4") > 0, Avx512Kernels()},
      {"avx2", __builtin_cpu_supports("x86-64-v3") > 0, Avx2Kernels()},
#endif
      {"baseline", true, BaselineKernels()},
  };
}

absl::StatusOr<InstructionSet> Choose(const std::vector<InstructionSet>& sets,
                                      const std::string& name) {
  const auto chosen = std::find_if(sets.begin(), sets.end(), [&](const InstructionSet& set) {
    return name.empty() ? set.runs_here : name == set.name;
  });
  if (chosen == sets.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "invalid instruction set: expected ",
        absl::StrJoin(
            sets, ", ",
            [](std::string* out, const InstructionSet& set) { absl::StrAppend(out, set.name); }),
        ", got '", name, "'"));
  }
  if (!chosen->runs_here) {
    return absl::FailedPreconditionError(
        absl::StrCat("this processor does not have the instruction set '", name, "'"));
  }
  return *chosen;
}

}  // namespace thalweg::backend::native
