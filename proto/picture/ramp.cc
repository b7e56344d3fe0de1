#include "proto/picture/ramp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "proto/picture/light.h"

namespace thalweg::picture {
namespace {

constexpr Color FromBytes(int r, int g, int b) {
  return {static_cast<float>(r) / 255.0F, static_cast<float>(g) / 255.0F,
          static_cast<float>(b) / 255.0F};
}

struct Stop {
  float at;
  Color color;
};

// By the position on the ramp; in the comment the height above the sea that has it.
constexpr std::array kLand = {
    Stop{0.00F, FromBytes(158, 184, 142)},  // 0 m
    Stop{0.12F, FromBytes(172, 192, 146)},  // 100 m
    Stop{0.28F, FromBytes(196, 204, 158)},  // 420 m
    Stop{0.42F, FromBytes(220, 210, 170)},  // 850 m
    Stop{0.56F, FromBytes(210, 186, 150)},  // 1,370 m
    Stop{0.70F, FromBytes(188, 168, 148)},  // 1,990 m
    Stop{0.82F, FromBytes(184, 179, 174)},  // 2,590 m
    Stop{0.92F, FromBytes(226, 227, 230)},  // 3,130 m
    Stop{1.00F, FromBytes(250, 251, 253)},  // 3,600 m
};

// By the depth in metres.
constexpr std::array kSea = {
    Stop{0, FromBytes(186, 216, 222)},   Stop{30, FromBytes(166, 203, 216)},
    Stop{150, FromBytes(140, 182, 204)}, Stop{600, FromBytes(108, 153, 185)},
    Stop{1800, FromBytes(78, 120, 160)}, Stop{4000, FromBytes(54, 90, 132)},
    Stop{9000, FromBytes(34, 60, 100)},
};

constexpr std::array kFlow = {
    Stop{0.0F, FromBytes(232, 240, 246)},
    Stop{0.35F, FromBytes(158, 200, 224)},
    Stop{0.7F, FromBytes(54, 128, 188)},
    Stop{1.0F, FromBytes(8, 48, 112)},
};

constexpr std::array kWash = {
    Stop{0.0F, FromBytes(246, 240, 226)},
    Stop{0.5F, FromBytes(222, 176, 112)},
    Stop{1.0F, FromBytes(128, 70, 28)},
};

constexpr std::array kSand = {
    Stop{0.0F, FromBytes(250, 243, 218)},
    Stop{0.5F, FromBytes(230, 200, 136)},
    Stop{1.0F, FromBytes(164, 116, 56)},
};

constexpr std::array kWater = {
    Stop{0.0F, FromBytes(176, 216, 232)},
    Stop{0.4F, FromBytes(96, 164, 208)},
    Stop{0.75F, FromBytes(36, 96, 164)},
    Stop{1.0F, FromBytes(12, 40, 96)},
};

constexpr std::array kPlants = {
    Stop{0.0F, FromBytes(226, 232, 196)},
    Stop{0.4F, FromBytes(148, 188, 96)},
    Stop{1.0F, FromBytes(24, 92, 40)},
};

constexpr std::array kWear = {
    Stop{0.0F, FromBytes(250, 224, 210)},
    Stop{0.5F, FromBytes(226, 106, 76)},
    Stop{1.0F, FromBytes(120, 10, 24)},
};

constexpr std::array kDeposit = {
    Stop{0.0F, FromBytes(252, 248, 214)},
    Stop{0.5F, FromBytes(246, 210, 66)},
    Stop{1.0F, FromBytes(168, 112, 0)},
};

// After Matplotlib's magma (Smith and van der Walt 2015).
constexpr std::array kSteep = {
    Stop{0.00F, FromBytes(0, 0, 4)},       Stop{0.13F, FromBytes(28, 16, 68)},
    Stop{0.25F, FromBytes(79, 18, 123)},   Stop{0.38F, FromBytes(129, 37, 129)},
    Stop{0.50F, FromBytes(181, 54, 122)},  Stop{0.63F, FromBytes(229, 80, 100)},
    Stop{0.75F, FromBytes(251, 135, 97)},  Stop{0.88F, FromBytes(254, 194, 135)},
    Stop{1.00F, FromBytes(252, 253, 191)},
};

// By the distance to the shore in cells.
constexpr std::array kFromShoreOnLand = {
    Stop{0, FromBytes(250, 230, 170)},
    Stop{16, FromBytes(222, 196, 150)},
    Stop{96, FromBytes(176, 150, 128)},
};
constexpr std::array kFromShoreInWater = {
    Stop{0, FromBytes(204, 236, 236)},
    Stop{16, FromBytes(120, 184, 210)},
    Stop{96, FromBytes(40, 92, 150)},
};

constexpr Color kLoss = FromBytes(48, 104, 170);
constexpr Color kGain = FromBytes(178, 62, 50);

// A world without a sea has its lowest tint this far below the datum.
constexpr float kLowestWithoutSeaM = -300;
// Height above that lowest tint which is white, and the curve's exponent: lowlands get more of the
// ramp.
constexpr float kHighestM = 3600;
constexpr float kRampExponent = 0.6F;
// The length of the ramp over which a picture's own range of heights is spread at most, and the
// range that is spread over half of it.
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

// 0 at 0 and 1 at `largest`, logarithmic above a unit.
float LogShare(float value, float largest, float unit) {
  if (value <= 0 || largest <= 0) return 0;
  return std::min(std::log1p(value / unit) / std::log1p(largest / unit), 1.0F);
}

float RootShare(float value, float largest) {
  return largest > 0 ? std::sqrt(std::min(value / largest, 1.0F)) : 0;
}

// Bands with a darker line every eight cells; where no shore was found nothing, or open water.
Overlay ShoreOverlay(std::int32_t value) {
  constexpr std::int32_t kNoShore = 65'535;
  constexpr float kLineCells = 8;
  const bool land = value >= 0;
  if (std::abs(value) >= kNoShore) {
    return land ? Overlay{} : Overlay{kFromShoreInWater.back().color, 0.95F, false};
  }
  const float cells = std::abs(static_cast<float>(value)) / 256.0F;
  const Color color = land ? Along(kFromShoreOnLand, cells) : Along(kFromShoreInWater, cells);
  const float past = cells - kLineCells * std::floor(cells / kLineCells);
  const float line = cells >= kLineCells && past < 1 ? 0.72F : 1.0F;
  return {color * line, 0.9F, land};
}

// Red at 0, through yellow, green, cyan, blue and magenta back to it at 1.
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

Color LandTint(float position) { return Along(kLand, position); }

Color RockTint(float position) {
  return Mix(FromBytes(186, 168, 144), FromBytes(158, 154, 152), position);
}

float RockShare(float steepness) { return 0.5F * SmoothStep(0.7F, 1.7F, steepness); }

Color SeaTint(float depth_m) { return Along(kSea, depth_m); }

float RiverShare(std::int32_t flow) {
  if (flow <= 0) return 0;
  const float doublings = std::log2(static_cast<float>(flow) / 256.0F);
  return 0.8F * SmoothStep(5, 10, doublings);
}

Color RiverTint() { return FromBytes(74, 124, 176); }

Overlay LayerOverlay(v1::Layer layer, std::int32_t value, const OverlayScale& scale) {
  const float magnitude = std::abs(static_cast<float>(value));
  const auto largest = static_cast<float>(scale.largest);
  // Each from a height unit count on that can be seen: a centimetre.
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
      // Shares of discharge below eight cells' rain are no rivers yet.
      const float share = LogShare(magnitude, largest, 8 * 256);
      return {Along(kFlow, share), 0.2F + 0.75F * share};
    }
    case v1::LAYER_SEDIMENT: {
      const float share = LogShare(magnitude, largest, 10 * kCentimetre);
      return {Along(kSand, share), 0.9F * SmoothStep(0, 0.3F, share)};
    }
    case v1::LAYER_WATER_LEVEL: {
      const auto range = static_cast<float>(std::int64_t{scale.max} - scale.min);
      const auto above = static_cast<float>(std::int64_t{value} - scale.min);
      return {Along(kWater, range > 0 ? 0.25F + 0.6F * above / range : 0.5F), 0.95F, false};
    }
    case v1::LAYER_WATER_DEPTH:
      if (value <= 0) return {};
      return {Along(kWater, LogShare(magnitude, largest, 100 * kCentimetre)), 0.95F, false};
    case v1::LAYER_VEGETATION: {
      const float share = magnitude / 65536.0F;
      return {Along(kPlants, share), 0.95F * SmoothStep(0, 0.25F, share)};
    }
    case v1::LAYER_WEAR:
      return by_root(kWear);
    case v1::LAYER_DEPOSIT:
      return by_root(kDeposit);
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
    case v1::LAYER_SLOPE: {
      const float share = std::atan(magnitude / 65536.0F) / std::atan(largest / 65536.0F);
      return {Along(kSteep, largest > 0 ? share : 0), 0.9F};
    }
    default:
      break;
  }
  const float share = LogShare(magnitude, largest, kCentimetre);
  return {Along(kWash, share), 0.3F + 0.65F * share};
}

}  // namespace thalweg::picture
