// Pictures as PNG.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/picture/image.h"

namespace thalweg::picture {

// Takes bytes, one piece after another. The writer stops at an error and returns it.
using ByteSink = std::function<absl::Status(std::span<const std::uint8_t>)>;

// A tEXt chunk: keyword and Latin-1 text.
struct PngText {
  std::string keyword;
  std::string text;
};

enum class PngKind { kRgb8, kGrey16, kRgb16 };

// How a picture is encoded.
struct PngFormat {
  int width = 0;
  int height = 0;
  PngKind kind = PngKind::kRgb8;
  // Whether 8 bits are colours (sRGB) rather than numbers.
  bool colors = true;
  // A fifth of the time, and a few per cent larger: for pictures that are made on request.
  bool fast = false;
};

// Returns a row's bytes, 16 bits big-endian. They must stay valid until the next row is asked for.
using PngRow = std::function<const std::uint8_t*(int y)>;

absl::Status WritePngRows(const PngFormat& format, const std::vector<PngText>& texts,
                          const ByteSink& sink, const PngRow& row);

// Writes 8-bit RGB, marked as sRGB.
absl::Status WritePng(const Image& image, const std::vector<PngText>& texts, const ByteSink& sink);

// Writes width x height values as 16-bit grey, linearly: min becomes 0 and max 65,535; values
// outside are clamped. max must not be below min; all values become 0 if they are equal.
absl::Status WritePng16(std::span<const std::int32_t> values, int width, int height,
                        std::int32_t min, std::int32_t max, const std::vector<PngText>& texts,
                        const ByteSink& sink);

}  // namespace thalweg::picture
