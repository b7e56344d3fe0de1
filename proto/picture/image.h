// Pictures in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace thalweg::picture {

// A colour in sRGB, 0 to 1 each.
struct Color {
  float r = 0;
  float g = 0;
  float b = 0;
};

constexpr Color operator*(Color c, float s) { return {c.r * s, c.g * s, c.b * s}; }
constexpr Color operator*(Color a, Color b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
constexpr Color operator+(Color a, Color b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }

// a where t is 0, b where t is 1, linear between.
constexpr Color Mix(Color a, Color b, float t) { return a * (1 - t) + b * t; }

// Three bytes a pixel (R, G, B), rows from north to south.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  Image() = default;
  Image(int w, int h)
      : width(w), height(h), rgb(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3) {}

  std::size_t Offset(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(x)) *
           3;
  }
  // Rounds to 8 bits; values outside 0 to 1 are clamped.
  void Set(int x, int y, Color color);
  Color Get(int x, int y) const;
};

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
