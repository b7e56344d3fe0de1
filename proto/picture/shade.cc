#include "proto/picture/shade.h"

#include <algorithm>
#include <cmath>

#include "proto/picture/ramp.h"

namespace thalweg::picture {
namespace {

constexpr float kDiagonal = 0.70710678F;

// The sine and the cosine of the altitude of all lights, 45 degrees.
constexpr float kUp = kDiagonal;
constexpr float kAcross = kDiagonal;

// The direction to a light, as a unit vector to the east and to the south.
struct Azimuth {
  float east;
  float south;
};

constexpr Azimuth kSouthWest = {-kDiagonal, kDiagonal};
constexpr Azimuth kWest = {-1, 0};
constexpr Azimuth kNorthWest = {-kDiagonal, -kDiagonal};
constexpr Azimuth kNorth = {0, -1};

constexpr float kMainShare = 0.6F;

// The limit that exaggerated slopes approach.
constexpr float kSteepest = 2.4F;

// Lambert's cosine. `length` is the length of the slope's normal (-east, -south, 1).
float Lambert(Slope slope, float length, Azimuth azimuth) {
  const float facing = -slope.east * azimuth.east - slope.south * azimuth.south;
  return std::max((facing * kAcross + kUp) / length, 0.0F);
}

// The colour that shadows are multiplied by, and the one that lit ground approaches: cool and warm.
constexpr Color kShadow = {0.33F, 0.36F, 0.46F};
constexpr Color kGlow = {1.0F, 0.985F, 0.93F};

}  // namespace

UnitNormal NormalOf(std::int32_t packed) {
  constexpr float kUnit = 1.0F / 32767;
  const auto bits = static_cast<std::uint32_t>(packed);
  const auto component = [](std::uint32_t half) {
    return std::max(static_cast<float>(static_cast<std::int16_t>(half)) * kUnit, -1.0F);
  };
  const float east = component(bits & 0xFFFFU);
  const float south = component(bits >> 16);
  return {east, south, std::sqrt(std::max(1 - east * east - south * south, 0.0F))};
}

Slope SlopeOf(const UnitNormal& normal) {
  // Components are in 1/32,767, which can't distinguish steeper ground.
  const float up = std::max(normal.up, 1.0F / 256);
  return {-normal.east / up, -normal.south / up};
}

float Steepness(Slope slope) {
  return std::sqrt(slope.east * slope.east + slope.south * slope.south);
}

float Exaggeration(double cell_size_m) {
  return static_cast<float>(std::clamp(1.15 * std::pow(cell_size_m / 8, 0.25), 1.0, 4.0));
}

Slope Exaggerate(Slope slope, float exaggeration) {
  const float east = slope.east * exaggeration;
  const float south = slope.south * exaggeration;
  const float bend = 1 / std::sqrt(1 + (east * east + south * south) / (kSteepest * kSteepest));
  return {east * bend, south * bend};
}

float Illumination(Slope slope) {
  const float square = slope.east * slope.east + slope.south * slope.south;
  const float length = std::sqrt(1 + square);
  const float main = Lambert(slope, length, kNorthWest);
  if (square == 0) return main;
  float sum = 0;
  for (const Azimuth azimuth : {kSouthWest, kWest, kNorthWest, kNorth}) {
    // The squared sine of the angle between the light and the direction of descent. Over the four
    // lights these sum to 2.
    const float across = slope.east * azimuth.south - slope.south * azimuth.east;
    sum += across * across / square * Lambert(slope, length, azimuth);
  }
  return kMainShare * main + (1 - kMainShare) * sum / 2;
}

float FlatIllumination() { return kUp; }

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
