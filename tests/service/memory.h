// How much memory a process has.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::service {

// Under a sanitizer most of a process's memory is the sanitizer's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsItsOwn = false;
#else
inline constexpr bool kMemoryIsItsOwn = true;
#endif

// The most bytes that it had in memory, since ResetPeak of the test's own. `process` is its number.
std::size_t PeakBytes(const std::string& process = "self");
void ResetPeak();

}  // namespace thalweg::service
