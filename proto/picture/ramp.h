// Which colour ground, sea and overlays have.
#pragma once

#include <cstdint>
#include <optional>

#include "proto/picture/image.h"
#include "thalweg/v1/tile.pb.h"

namespace thalweg::picture {

// How heights become colours. The absolute height above the sea chooses the point on the ramp;
// where the height lies between the picture's lowest and highest ground shifts it by less than a
// fifth of the ramp either way. So pictures side by side look alike, and yet none is of one colour.
struct HeightScale {
  // The picture's lowest and highest height.
  float min_m = 0;
  float max_m = 0;
  // What is below it is sea. Absent: no sea, and the ramp begins 300 m below the datum.
  std::optional<float> sea_level_m;
};

// Where a height lies on the ramp of the land, 0 to 1.
float RampPosition(float height_m, const HeightScale& scale);

// The land's tint: green lowlands, ochre, grey rock, snow.
Color LandTint(float position);

// The tint of bare rock at a position of the ramp, and how much of it shows (0 to 1) where ground
// is so steep in truth, not as it is exaggerated.
Color RockTint(float position);
float RockShare(float steepness);

// The sea's tint by its depth, which is above 0.
Color SeaTint(float depth_m);

// How much river is drawn over the ground, 0 to 1, for a flow in the unit of its layer. The scale
// is logarithmic.
float RiverShare(std::int32_t flow);
Color RiverTint();

// The colour of a value in a picture of a layer other than the height, and how much of it covers
// the grey relief.
struct Overlay {
  Color color;
  float share = 0;
  // Whether the relief's light falls on it. Water and what stands for directions is flat.
  bool lit = true;
};

// What of a picture decides its colours.
struct OverlayScale {
  // The largest magnitude of a value, and the range of the values that are drawn.
  std::int32_t largest = 0;
  std::int32_t min = 0;
  std::int32_t max = 0;
};

// Logarithmic for flow, wash load, sediment and water; by the square root for wear (red), deposit
// (yellow) and uplift (red, loss blue); by the angle for slopes; shores by their distance, with a
// line every eight cells; directions by hue; normals as red for east, green for north and blue for
// up; the cover by its first class. In pictures of water the caller must leave
// dry ground bare, since a water level does not say whether ground is dry.
Overlay LayerOverlay(v1::Layer layer, std::int32_t value, const OverlayScale& scale);

}  // namespace thalweg::picture
