#include "proto/picture/cover.h"

#include <cmath>
#include <cstddef>

#include "ramp_stops.h"

namespace thalweg::picture {
namespace {

// Clear water over pale ground; deep water; and the depth over which the ground becomes invisible.
constexpr Color kShallows = {0.40F, 0.60F, 0.60F};
constexpr Color kDeep = {0.09F, 0.21F, 0.33F};
constexpr float kClearM = 18;

Color LitStandingWater(float depth_m, const Shade& shade) {
  const float floor = std::exp(-depth_m / kClearM);
  return Lit(Mix(kDeep, kShallows, 0.7F * floor),
             {1 + (shade.light - 1) * 0.4F * floor, shade.open, 0});
}

}  // namespace

std::array<CoverPart, 3> CoverPartsOf(std::int32_t packed) {
  const auto bits = static_cast<std::uint32_t>(packed);
  const std::uint32_t second = bits >> 12 & 255;
  const std::uint32_t third = bits >> 20 & 255;
  const std::array<std::uint32_t, 3> weights{255 - second - third, second, third};
  std::array<CoverPart, 3> parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto number = static_cast<int>(bits >> 4 * k & 15);
    parts[k] = {v1::Cover_IsValid(number) ? static_cast<v1::Cover>(number) : v1::COVER_ROCK,
                static_cast<float>(weights[k]) / 255.0F};
  }
  return parts;
}

Color CoverTint(v1::Cover cover) {
  static_assert(ramps::kCover.size() == v1::Cover_ARRAYSIZE);
  return ramps::kCover.at(static_cast<std::size_t>(cover)).color;
}

Color MixedCoverTint(std::int32_t packed) {
  Color mixed;
  for (const CoverPart& part : CoverPartsOf(packed)) {
    mixed = mixed + CoverTint(part.cover) * part.share;
  }
  return mixed;
}

Color LitCover(std::int32_t packed, float depth_m, const Shade& shade) {
  if (depth_m <= 0) return Lit(MixedCoverTint(packed), shade);
  return LitStandingWater(depth_m, shade);
}

}  // namespace thalweg::picture
