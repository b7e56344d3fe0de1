// How many points one call may sample.
#pragma once

#include <cstddef>
#include <span>

#include "thalweg/sample.h"

namespace thalweg {

// What the contract allows a call.
inline constexpr std::size_t kMaxSamplePoints = 8'192;
inline constexpr std::size_t kMaxSampleTiles = 256;

// The longest beginning of the points that has no more of them, on no more tiles of that side in
// metres; 1 at least. There is a point at least.
std::size_t SampleBatch(std::span<const GroundPoint> points, double tile_side_m,
                        std::size_t max_points, std::size_t max_tiles);

}  // namespace thalweg
