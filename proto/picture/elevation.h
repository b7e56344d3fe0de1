// Heights in the colours of PNGs, as web maps read them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::picture {

// A terrarium pixel, red first: height_m = r * 256 + g + b / 256 - 32,768. Takes 1/65,536 m and
// rounds to the nearest, upwards from the middle; every height fits, but for the topmost half step,
// which is cut off.
std::uint32_t TerrariumOf(std::int32_t height);

// side x side heights as an 8-bit RGB PNG of numbers, not of colours.
absl::StatusOr<std::string> ElevationPng(
    std::span<const std::int32_t> heights, int side,
    const std::function<std::uint32_t(std::int32_t)>& pixel_of);

}  // namespace thalweg::picture
