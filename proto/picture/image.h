// Pictures in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

}  // namespace thalweg::picture
