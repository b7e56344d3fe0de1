// How much memory a process has.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::service {

// The most bytes that it had in memory, since ResetPeak of the test's own. `process` is its number.
std::size_t PeakBytes(const std::string& process = "self");
void ResetPeak();

}  // namespace thalweg::service
