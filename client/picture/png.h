// Pictures as PNG.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/picture/image.h"

namespace thalweg::picture {

// Takes bytes one after the other; an error ends the writing and is what the writer returns.
using ByteSink = std::function<absl::Status(std::span<const std::uint8_t>)>;

// A tEXt chunk: keyword and Latin-1 text.
struct PngText {
  std::string keyword;
  std::string text;
};

// Writes 8-bit RGB, marked as sRGB.
absl::Status WritePng(const Image& image, const std::vector<PngText>& texts, const ByteSink& sink);

// Writes width x height values as 16-bit grey, linearly: 0 is min and 65,535 is max, which is not
// below min; what is outside is cut off. All 0 if the two are equal.
absl::Status WritePng16(std::span<const std::int32_t> values, int width, int height,
                        std::int32_t min, std::int32_t max, const std::vector<PngText>& texts,
                        const ByteSink& sink);

// Writes width x height values of Layer::kNormal as a 16-bit RGB normal map: east, north and up
// from -1 (0) to 1 (65,535).
absl::Status WriteNormalPng16(std::span<const std::int32_t> values, int width, int height,
                              const std::vector<PngText>& texts, const ByteSink& sink);

}  // namespace thalweg::picture
