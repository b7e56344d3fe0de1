// Heights and other values on the lattices of rasters: integer rules that depend only
// on the value, so that shared vertices stay equal. All round to the nearest, upwards from the
// middle, as picture::TerrariumOf does.
#pragma once

#include <cstdint>

#include "thalweg/v1/tile.pb.h"

namespace thalweg::raster {

// A mapbox pixel, red first: height_m = (r * 65,536 + g * 256 + b) / 10 - 10,000. What lies below
// -10,000 m is cut off.
std::uint32_t MapboxOf(std::int32_t height);

// A grey level, cut off at 0 and 65,535.
std::uint16_t GreyOf(std::int32_t value, const v1::GreyScale& scale);

}  // namespace thalweg::raster
