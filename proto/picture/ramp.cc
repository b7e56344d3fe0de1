#include "proto/picture/ramp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "proto/picture/cover.h"
#include "proto/picture/light.h"
#include "ramp_stops.h"

namespace thalweg::picture {
namespace {

constexpr Color FromBytes(int r, int g, int b) {
  return {static_cast<float>(r) / 255.0F, static_cast<float>(g) / 255.0F,
          static_cast<float>(b) / 255.0F};
}

constexpr Color kLoss = FromBytes(48, 104, 170);
constexpr Color kGain = FromBytes(178, 62, 50);

// Without a sea, the lowest tint is this far below the datum.
constexpr float kLowestWithoutSeaM = -300;
// The height of white above the lowest tint, and the curve's exponent: lowlands get more of the
// ramp.
constexpr float kHighestM = 3600;
constexpr float kRampExponent = 0.6F;
// Max length of the ramp over which a picture's own range of heights is spread, and the range that
// is spread over half of it.
constexpr float kRelativeShare = 0.35F;
constexpr float kRelativeRangeM = 300;

float SmoothStep(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

Color Along(std::span<const Stop> stops, float at) {
  if (at <= stops.front().at) return stops.front().color;
  for (std::size_t i = 1; i < stops.size(); ++i) {
    const Stop& low = stops[i - 1];
    const Stop& high = stops[i];
    if (at <= high.at) return Mix(low.color, high.color, (at - low.at) / (high.at - low.at));
  }
  return stops.back().color;
}

// 0 at 0 and 1 at `largest`, logarithmic above `unit`.
float LogShare(float value, float largest, float unit) {
  if (value <= 0 || largest <= 0) return 0;
  return std::min(std::log1p(value / unit) / std::log1p(largest / unit), 1.0F);
}

float RootShare(float value, float largest) {
  return largest > 0 ? std::sqrt(std::min(value / largest, 1.0F)) : 0;
}

// Bands with a darker line every eight cells. Without a shore: nothing on land, or open water.
Overlay ShoreOverlay(std::int32_t value) {
  constexpr std::int32_t kNoShore = 65'535;
  constexpr float kLineCells = 8;
  const bool land = value >= 0;
  if (std::abs(value) >= kNoShore) {
    return land ? Overlay{} : Overlay{ramps::kShoreInWater.back().color, 0.95F, false};
  }
  const float cells = std::abs(static_cast<float>(value)) / 256.0F;
  const Color color = land ? Along(ramps::kShoreOnLand, cells) : Along(ramps::kShoreInWater, cells);
  const float past = cells - kLineCells * std::floor(cells / kLineCells);
  const float line = cells >= kLineCells && past < 1 ? 0.72F : 1.0F;
  return {color * line, 0.9F, land};
}

// Red at 0, through yellow, green, cyan, blue and magenta back to red at 1.
Color HueOf(float turn) {
  const auto channel = [turn](float offset) {
    const float at = 6 * (turn + offset - std::floor(turn + offset));
    return 0.15F + 0.8F * std::clamp(std::abs(at - 3) - 1, 0.0F, 1.0F);
  };
  return {channel(0), channel(2.0F / 3), channel(1.0F / 3)};
}

}  // namespace

float RampPosition(float height_m, const HeightScale& scale) {
  const float lowest = scale.sea_level_m.value_or(kLowestWithoutSeaM);
  const float above = std::clamp((height_m - lowest) / kHighestM, 0.0F, 1.0F);
  const float absolute = std::pow(above, kRampExponent);
  const float low = std::max(scale.min_m, lowest);
  const float range = scale.max_m - low;
  if (range <= 0) return absolute;
  const float relative = std::clamp((height_m - low) / range, 0.0F, 1.0F) - 0.5F;
  const float share = kRelativeShare * range / (range + kRelativeRangeM);
  return std::clamp(absolute + share * relative, 0.0F, 1.0F);
}

Color LandTint(float position) { return Along(ramps::kLand, position); }

Color RockTint(float position) {
  return Mix(FromBytes(186, 168, 144), FromBytes(158, 154, 152), position);
}

float RockShare(float steepness) { return 0.5F * SmoothStep(0.7F, 1.7F, steepness); }

Color SeaTint(float depth_m) { return Along(ramps::kSea, depth_m); }

float RiverShare(std::int32_t flow) {
  if (flow <= 0) return 0;
  const float doublings = std::log2(static_cast<float>(flow) / 256.0F);
  return 0.8F * SmoothStep(5, 10, doublings);
}

Color RiverTint() { return FromBytes(74, 124, 176); }

Overlay LayerOverlay(v1::Layer layer, std::int32_t value, const OverlayScale& scale) {
  const float magnitude = std::abs(static_cast<float>(value));
  const auto largest = static_cast<float>(scale.largest);
  // Each scale begins at a visible amount: a centimetre.
  constexpr float kCentimetre = 655.36F;
  const auto by_root = [&](std::span<const Stop> stops) -> Overlay {
    const float share = RootShare(magnitude, largest);
    return {Along(stops, share), 0.9F * SmoothStep(0, 0.15F, share)};
  };
  switch (layer) {
    case v1::LAYER_UPLIFT: {
      const float share = RootShare(magnitude, largest);
      return {value < 0 ? kLoss : kGain, 0.9F * share};
    }
    case v1::LAYER_FLOW: {
      // A discharge of less than eight cells' rain is not a river yet.
      const float share = LogShare(magnitude, largest, 8 * 256);
      return {Along(ramps::kFlow, share), 0.2F + 0.75F * share};
    }
    case v1::LAYER_SEDIMENT: {
      const float share = LogShare(magnitude, largest, 10 * kCentimetre);
      return {Along(ramps::kSand, share), 0.9F * SmoothStep(0, 0.3F, share)};
    }
    case v1::LAYER_WATER_LEVEL: {
      const auto range = static_cast<float>(std::int64_t{scale.max} - scale.min);
      const auto above = static_cast<float>(std::int64_t{value} - scale.min);
      return {Along(ramps::kWater, range > 0 ? 0.25F + 0.6F * above / range : 0.5F), 0.95F, false};
    }
    case v1::LAYER_WATER_DEPTH:
      if (value <= 0) return {};
      return {Along(ramps::kWater, LogShare(magnitude, largest, 100 * kCentimetre)), 0.95F, false};
    case v1::LAYER_VEGETATION: {
      const float share = magnitude / 65536.0F;
      return {Along(ramps::kPlants, share), 0.95F * SmoothStep(0, 0.25F, share)};
    }
    case v1::LAYER_WEAR:
      return by_root(ramps::kWear);
    case v1::LAYER_DEPOSIT:
      return by_root(ramps::kDeposit);
    case v1::LAYER_SHORE_DISTANCE:
      return ShoreOverlay(value);
    case v1::LAYER_SHORE_DIRECTION:
      return {HueOf(magnitude / 65536.0F), 0.85F, false};
    case v1::LAYER_NORMAL: {
      const UnitNormal normal = NormalOf(value);
      const Color color = {0.5F + 0.5F * normal.east, 0.5F - 0.5F * normal.south,
                           0.5F + 0.5F * normal.up};
      return {color, 1, false};
    }
    case v1::LAYER_COVER:
      return {CoverTint(CoverPartsOf(value).front().cover), 1};
    case v1::LAYER_SLOPE: {
      const float share = std::atan(magnitude / 65536.0F) / std::atan(largest / 65536.0F);
      return {Along(ramps::kSteep, largest > 0 ? share : 0), 0.9F};
    }
    default:
      break;
  }
  const float share = LogShare(magnitude, largest, kCentimetre);
  return {Along(ramps::kWash, share), 0.3F + 0.65F * share};
}

}  // namespace thalweg::picture
