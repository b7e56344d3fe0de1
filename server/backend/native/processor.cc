#include "server/backend/native/processor.h"

#ifdef __x86_64__
#include <fstream>
#endif

namespace thalweg::backend::native {
#ifdef __x86_64__
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
  return __builtin_cpu_is("intel") && line.rfind("Not affected", 0) == 0;
}

}  // namespace

std::vector<std::string> SetsOfProcessor() {
  if (!HasAvx2()) return {"baseline"};
  if (!HasAvx512()) return {"avx2", "baseline"};
  if (GathersFast()) return {"avx512_gather", "avx512", "avx2", "baseline"};
  return {"avx512", "avx512_gather", "avx2", "baseline"};
}

#else

std::vector<std::string> SetsOfProcessor() { return {"baseline"}; }

#endif
}  // namespace thalweg::backend::native
