// The cover of vertices as a layer of numbers.
#pragma once

#include <cstdint>
#include <span>

#include "server/tile/cover.h"

namespace thalweg::tile {

// The steps of weights, in 1/255: in tiles with exact values, and in tiles that are made for
// drawing.
inline constexpr int kExactStep = 1;
inline constexpr int kLatticeStep = 17;

// Packs the three largest classes of each vertex as LAYER_COVER does; of equal ones the first goes
// first. The weights of the second and third are multiples of the step.
void PackCover(const CoverShares& shares, int step, std::span<std::int32_t> packed);

}  // namespace thalweg::tile
