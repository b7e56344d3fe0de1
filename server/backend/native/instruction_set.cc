#include "server/backend/native/instruction_set.h"

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

}  // namespace thalweg::backend::native
