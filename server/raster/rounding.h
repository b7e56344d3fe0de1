// Rounds heights and other values to the lattices of rasters. The integer rules depend only on the
// value, so that shared vertices stay equal. All round to the nearest value, halves upwards, as
// picture::TerrariumOf does.
#pragma once

#include <cstdint>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// A mapbox pixel, red first: height_m = (r * 65,536 + g * 256 + b) / 10 - 10,000. Heights below
// -10,000 m become -10,000 m.
std::uint32_t MapboxOf(std::int32_t height);

// A grey level, limited to 0 to 65,535.
std::uint16_t GreyOf(std::int32_t value, const v1::GreyScale& scale);

}  // namespace thalweg::raster
