// Normal maps as PNG.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "proto/picture/png.h"

namespace thalweg::picture {

// Writes width x height values of Layer::kNormal as a 16-bit RGB normal map: east, north and up
// from -1 (0) to 1 (65,535).
absl::Status WriteNormalPng16(std::span<const std::int32_t> values, int width, int height,
                              const std::vector<PngText>& texts, const ByteSink& sink);

}  // namespace thalweg::picture
