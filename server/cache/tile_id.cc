#include "server/cache/tile_id.h"

#include <algorithm>
#include <cstring>

namespace thalweg::cache {

std::array<std::uint64_t, 2> WorldNumbers(std::string_view world_id) {
  std::array<std::uint64_t, 2> numbers{};
  std::memcpy(numbers.data(), world_id.data(), std::min(world_id.size(), sizeof(numbers)));
  return numbers;
}

std::string WorldIdOf(const std::array<std::uint64_t, 2>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)};
}

}  // namespace thalweg::cache
