// The comparison that every parity test ends with.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace thalweg::parity {

// Says how two planes of `width` columns differ: how many values, the first one and the largest
// difference. Empty when every bit is equal.
std::string Difference(std::span<const std::int32_t> a, std::span<const std::int32_t> b, int width);

}  // namespace thalweg::parity
