// The colours of ground, sea and overlays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "proto/picture/image.h"
#include "proto/picture/shade.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::picture {

// A class, and the part of the ground that it covers, 0 to 1.
struct CoverPart {
  v1::Cover cover = v1::COVER_WATER;
  float share = 0;
};

// Unpacks a value of LAYER_COVER, the largest part first. Unknown classes become rock.
std::array<CoverPart, 3> CoverPartsOf(std::int32_t packed);

// Returns the colour of a class from above, and of all parts together.
Color CoverTint(v1::Cover cover);
Color MixedCoverTint(std::int32_t packed);

// Returns the ground as it looks from above, in this light; standing water has a depth above 0.
Color LitCover(std::int32_t packed, float depth_m, const Shade& shade);

// Returns a terrarium pixel, red in the highest byte: height_m = r * 256 + g + b / 256 - 32,768.
// Takes 1/65,536 m and rounds to the nearest, half upwards. Every height fits, except the topmost
// half step, which is clamped.
std::uint32_t TerrariumOf(std::int32_t height);

// Encodes side x side heights as an 8-bit RGB PNG of numbers, not of colours.
absl::StatusOr<std::string> ElevationPng(
    std::span<const std::int32_t> heights, int side,
    const std::function<std::uint32_t(std::int32_t)>& pixel_of);

// How heights become colours. The absolute height above the sea chooses the position on the ramp.
// Its position between the picture's lowest and highest ground shifts that by less than a fifth of
// the ramp either way. So adjacent pictures look alike, and none has only one colour.
struct HeightScale {
  // The picture's lowest and highest height.
  float min_m = 0;
  float max_m = 0;
  // Ground below it is sea. Absent: no sea, and the ramp begins 300 m below the datum.
  std::optional<float> sea_level_m;
};

// Returns the position of a height on the land's ramp, 0 to 1.
float RampPosition(float height_m, const HeightScale& scale);

// Returns the land's tint: green lowlands, ochre, grey rock, snow.
Color LandTint(float position);

// Returns the tint of bare rock at a position of the ramp; and how much of it shows (0 to 1) at a
// steepness, without exaggeration.
Color RockTint(float position);
float RockShare(float steepness);

// Returns the sea's tint at a depth above 0.
Color SeaTint(float depth_m);

// Returns how strongly a river is drawn over the ground, 0 to 1, for a flow in its layer's unit.
// The scale is logarithmic.
float RiverShare(std::int32_t flow);
Color RiverTint();

// The colour of a value in a picture of a layer other than the height, and how much it covers the
// grey relief.
struct Overlay {
  Color color;
  float share = 0;
  // Whether the relief's light falls on it. Water and values that are directions look flat.
  bool lit = true;
};

// The values of a picture that decide its colours.
struct OverlayScale {
  // The largest magnitude of a value, and the range of the values that are drawn.
  std::int32_t largest = 0;
  std::int32_t min = 0;
  std::int32_t max = 0;
};

// Returns the colour of a value. Scales: logarithmic for flow, wash load, sediment and water;
// square root for wear (red), deposit (yellow) and uplift (red, loss blue). Slopes by angle, shores
// by distance with a line every eight cells, directions by hue, normals as red for east, green for
// north and blue for up, the cover by its first class. In pictures of water the caller must leave
// dry ground bare, because a water level does not say whether ground is dry.
Overlay LayerOverlay(v1::Layer layer, std::int32_t value, const OverlayScale& scale);

}  // namespace thalweg::picture
