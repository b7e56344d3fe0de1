// The resources that the process uses.
#pragma once

#include <cstdint>
#include <string>

#include "server/metrics/families.h"

namespace thalweg::metrics {

struct ProcessUse {
  std::uint64_t resident_bytes = 0;
  // The smallest of the machine's memory and the limits of its control group; 0 if unknown.
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t open_files = 0;
  // 0 if there is no limit.
  std::uint64_t max_files = 0;
};

// Reads /proc and /sys under the root. Values that can't be read are 0.
ProcessUse ReadProcessUse(const std::string& root = "");

void AddProcess(const ProcessUse& use, Families& families);

}  // namespace thalweg::metrics
