// How much memory the test's process has.
#pragma once

#include <cstddef>

namespace thalweg::service {

// The most bytes that it had in memory since ResetPeak.
std::size_t PeakBytes();
void ResetPeak();

}  // namespace thalweg::service
