#include "tests/service/memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace thalweg::service {

std::size_t PeakBytes(const std::string& process) {
  // proc(5): "VmHWM:     1234 kB"
  const std::string name = "VmHWM:";
  const std::string path = "/proc/" + process + "/status";
  std::ifstream status(path);
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(name)) return std::stoul(line.substr(name.size())) << 10;
  }
  ADD_FAILURE() << "no " << name << " in " << path;
  return 0;
}

void ResetPeak() {
  constexpr int kPeak = 5;
  std::ofstream("/proc/self/clear_refs") << kPeak;
}

}  // namespace thalweg::service
