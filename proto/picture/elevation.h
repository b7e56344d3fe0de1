// Heights as colours of PNGs, for web maps.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace thalweg::picture {

// Returns a terrarium pixel, red in the highest byte: height_m = r * 256 + g + b / 256 - 32,768.
// Takes 1/65,536 m and rounds to the nearest, half upwards. Every height fits, except the topmost
// half step, which is clamped.
std::uint32_t TerrariumOf(std::int32_t height);

// Encodes side x side heights as an 8-bit RGB PNG of numbers, not of colours.
absl::StatusOr<std::string> ElevationPng(
    std::span<const std::int32_t> heights, int side,
    const std::function<std::uint32_t(std::int32_t)>& pixel_of);

}  // namespace thalweg::picture
