// How much memory a process uses.
#pragma once

#include <cstddef>
#include <string>

namespace thalweg::service {

// With a sanitizer, most of a process's memory belongs to the sanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kMemoryIsItsOwn = false;
#else
inline constexpr bool kMemoryIsItsOwn = true;
#endif

// The most bytes that a process had in memory. `process` is its id. ResetPeak is for this process.
std::size_t PeakBytes(const std::string& process = "self");
void ResetPeak();

}  // namespace thalweg::service
