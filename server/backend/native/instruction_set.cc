#include "server/backend/native/instruction_set.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace thalweg::backend::native {

const KernelTable& BaselineKernels();
#ifdef __x86_64__
const KernelTable& Avx2Kernels();
const KernelTable& Avx512Kernels();
const KernelTable& Avx512GatherKernels();

namespace {

// Whether this processor has all that the kernels of the set are compiled for (CMakeLists.txt).
bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
bool HasAvx512() {
  return HasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

// Whether gathers are fast: on processors of Intel that need no defence against gather data
// sampling, which makes them slow (Linux, Documentation/admin-guide/hw-vuln/gather_data_sampling).
bool GathersFast() {
  std::ifstream file("/sys/devices/system/cpu/vulnerabilities/gather_data_sampling");
  std::string line;
  std::getline(file, line);
  return __builtin_cpu_is("intel") && absl::StartsWith(line, "Not affected");
}

}  // namespace
#endif

std::vector<InstructionSet> InstructionSets() {
  std::vector<InstructionSet> sets;
#ifdef __x86_64__
  const InstructionSet plain{"avx512", HasAvx512(), Avx512Kernels()};
  const InstructionSet gather{"avx512-gather", HasAvx512(), Avx512GatherKernels()};
  const bool fast = GathersFast();
  sets.push_back(fast ? gather : plain);
  sets.push_back(fast ? plain : gather);
  sets.push_back({"avx2", HasAvx2(), Avx2Kernels()});
#endif
  sets.push_back({"baseline", true, BaselineKernels()});
  return sets;
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
