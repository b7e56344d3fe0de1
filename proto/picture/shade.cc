#include "proto/picture/shade.h"

#include <algorithm>
#include <cmath>

#include "proto/picture/ramp.h"

namespace thalweg::picture {
namespace {

// The colour that shadows are multiplied by, and the one that lit ground approaches: cool and warm.
constexpr Color kShadow = {0.33F, 0.36F, 0.46F};
constexpr Color kGlow = {1.0F, 0.985F, 0.93F};

}  // namespace

Color Lit(Color tint, const Shade& shade) {
  Color color = tint;
  if (shade.light < 1) {
    color = tint * Mix({1, 1, 1}, kShadow, std::pow(1 - shade.light, 1.15F));
  } else {
    color = Mix(tint, kGlow, 0.85F * std::min((shade.light - 1) / 0.41F, 1.0F) * 0.62F);
  }
  return color * shade.open;
}

Color LitWater(float depth_m, const Shade& shade) {
  // The ground shows through shallow water; deep water is nearly smooth.
  const float floor = 0.12F + 0.5F * std::exp(-depth_m / 250.0F);
  const Shade under{1 + (shade.light - 1) * floor, 1 + (shade.open - 1) * floor, 0};
  return Lit(SeaTint(depth_m), under);
}

Color LitLand(float position, const Shade& shade) {
  return Lit(Mix(LandTint(position), RockTint(position), RockShare(shade.steepness)), shade);
}

Color WithRiver(Color ground, float share, const Shade& shade) {
  return Mix(ground, RiverTint() * (0.6F + 0.4F * std::min(shade.light, 1.2F)), share);
}

}  // namespace thalweg::picture
