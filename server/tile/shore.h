// Distance and direction from the offsets of Layer::kShore. The arithmetic is rounded alike on
// every machine.
#pragma once

#include <cstdint>

namespace thalweg::tile {

// The max magnitude of a distance, and the magnitude if no shore was found.
inline constexpr std::int32_t kFarthestShore = 65'535;

// Both functions take an offset as it is packed in the layer.

// The distance in 1/256 of a cell, negative for a vertex under water.
std::int32_t ShoreDistance(std::int32_t packed, bool under_water);

// The direction in 1/65,536 of a turn, clockwise from east; 0 if no shore was found.
std::int32_t ShoreDirection(std::int32_t packed);

}  // namespace thalweg::tile
