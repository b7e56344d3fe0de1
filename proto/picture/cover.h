// The look of the ground's cover.
#pragma once

#include <array>
#include <cstdint>

#include "proto/picture/image.h"
#include "proto/picture/shade.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::picture {

// A class, and the part of the ground that it covers, 0 to 1.
struct CoverPart {
  v1::Cover cover = v1::COVER_WATER;
  float share = 0;
};

// Unpacks a value of LAYER_COVER, the largest part first. Unknown classes become rock.
std::array<CoverPart, 3> CoverPartsOf(std::int32_t packed);

// Returns the colour of a class from above, and of all parts together.
Color CoverTint(v1::Cover cover);
Color MixedCoverTint(std::int32_t packed);

// Returns the ground as it looks from above, in this light; standing water has a depth above 0.
Color LitCover(std::int32_t packed, float depth_m, const Shade& shade);

}  // namespace thalweg::picture
