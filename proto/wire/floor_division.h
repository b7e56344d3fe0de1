// Division that rounds down, as the cells of negative vertices need.
#pragma once

#include <cstdint>

namespace thalweg::wire {

// b must not be 0.
constexpr std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace thalweg::wire
