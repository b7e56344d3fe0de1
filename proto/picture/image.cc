#include "proto/picture/image.h"

#include <algorithm>

namespace thalweg::picture {
namespace {

// Rounds to the nearest, because the value is never negative.
std::uint8_t ToByte(float value) {
  constexpr float kHalf = 0.5F;
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + kHalf);
}

float FromByte(std::uint8_t value) { return static_cast<float>(value) / 255.0F; }

}  // namespace

void Image::Set(int x, int y, Color color) {
  std::uint8_t* pixel = &rgb[Offset(x, y)];
  pixel[0] = ToByte(color.r);
  pixel[1] = ToByte(color.g);
  pixel[2] = ToByte(color.b);
}

Color Image::Get(int x, int y) const {
  const std::uint8_t* pixel = &rgb[Offset(x, y)];
  return {FromByte(pixel[0]), FromByte(pixel[1]), FromByte(pixel[2])};
}

}  // namespace thalweg::picture
