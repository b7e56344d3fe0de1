#include "proto/picture/ramp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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

std::uint32_t TerrariumOf(std::int32_t height) {
  constexpr std::int64_t kOffset = std::int64_t{32'768} << 8;
  const std::int64_t steps = ((std::int64_t{height} + 128) >> 8) + kOffset;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(steps, 0, 0xFFFFFF));
}

absl::StatusOr<std::string> ElevationPng(
    std::span<const std::int32_t> heights, int side,
    const std::function<std::uint32_t(std::int32_t)>& pixel_of) {
  const auto width = static_cast<std::size_t>(side);
  std::vector<std::uint8_t> row_bytes(3 * width);
  std::string bytes;
  const absl::Status written = WritePngRows(
      {.width = side, .height = side, .colors = false, .fast = true}, {},
      [&bytes](std::span<const std::uint8_t> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
        return absl::OkStatus();
      },
      [&](int y) {
        const std::span row = heights.subspan(static_cast<std::size_t>(y) * width, width);
        for (std::size_t x = 0; x < width; ++x) {
          const std::uint32_t pixel = pixel_of(row[x]);
          row_bytes[3 * x] = static_cast<std::uint8_t>(pixel >> 16);
          row_bytes[3 * x + 1] = static_cast<std::uint8_t>(pixel >> 8);
          row_bytes[3 * x + 2] = static_cast<std::uint8_t>(pixel);
        }
        return row_bytes.data();
      });
  if (!written.ok()) return written;
  bytes.shrink_to_fit();
  return bytes;
}

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
