// Distance and direction from the offsets of Layer::kShore, in arithmetic that every machine rounds
// alike.
#pragma once

#include <cstdint>

namespace thalweg::tile {

// What a distance saturates at, and its magnitude where no shore was found.
inline constexpr std::int32_t kFarthestShore = 65'535;

// Both take an offset as the layer has it.

// The distance in 1/256 of a cell, negative for a vertex under water.
std::int32_t ShoreDistance(std::int32_t packed, bool under_water);

// The direction in 1/65,536 of a turn, clockwise from east; 0 where no shore was found.
std::int32_t ShoreDirection(std::int32_t packed);

}  // namespace thalweg::tile
