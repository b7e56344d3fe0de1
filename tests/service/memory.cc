#include "tests/service/memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace thalweg::service {

std::size_t PeakBytes() {
  // proc(5): "VmHWM:     1234 kB"
  const std::string name = "VmHWM:";
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(name)) return std::stoul(line.substr(name.size())) << 10;
  }
  ADD_FAILURE() << "no " << name << " in /proc/self/status";
  return 0;
}

void ResetPeak() {
  constexpr int kPeak = 5;
  std::ofstream("/proc/self/clear_refs") << kPeak;
}

}  // namespace thalweg::service
