#include "server/metrics/process_families.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace thalweg::metrics {
namespace {

constexpr std::uint64_t kKilobyte = 1024;

// The number after a name at the beginning of a line, as in "VmRSS:  1234 kB"; 0 if it is missing.
std::uint64_t NumberAfter(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(name)) continue;
    return std::strtoull(line.c_str() + name.size(), nullptr, 10);
  }
  return 0;
}

// The limit in a file of a control group; 0 if the file is missing or says "max".
std::uint64_t LimitIn(const std::string& path) { return NumberAfter(path, ""); }

std::uint64_t MemoryLimit(const std::string& root) {
  std::uint64_t min = 0;
  for (const std::uint64_t limit :
       {NumberAfter(root + "/proc/meminfo", "MemTotal:") * kKilobyte,
        LimitIn(root + "/sys/fs/cgroup/memory.max"),
        LimitIn(root + "/sys/fs/cgroup/memory/memory.limit_in_bytes")}) {
    if (limit > 0) min = min == 0 ? limit : std::min(min, limit);
  }
  return min;
}

std::uint64_t OpenFiles(const std::string& root) {
  std::error_code error;
  const std::filesystem::directory_iterator files(root + "/proc/self/fd", error);
  if (error) return 0;
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

std::uint64_t MaxFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}

}  // namespace

ProcessUse ReadProcessUse(const std::string& root) {
  return {.resident_bytes = NumberAfter(root + "/proc/self/status", "VmRSS:") * kKilobyte,
          .memory_limit_bytes = MemoryLimit(root),
          .open_files = OpenFiles(root),
          .max_files = MaxFiles()};
}

void AddProcess(const ProcessUse& use, Families& families) {
  AddGauge("process_resident_memory_bytes", "Memory of the process, in bytes", use.resident_bytes,
           families);
  AddGauge("thalweg_memory_limit_bytes",
           "Max memory of the process, in bytes: the machine's, or that of its control group",
           use.memory_limit_bytes, families);
  AddGauge("process_open_fds", "Open files and connections", use.open_files, families);
  AddGauge("process_max_fds", "Max open files and connections; 0: no limit", use.max_files,
           families);
}

}  // namespace thalweg::metrics
