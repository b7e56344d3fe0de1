// Pictures of planets from orbit, from heights on half a sphere. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "proto/picture/image.h"
#include "proto/picture/shade.h"

namespace thalweg::picture {

// A pixel that shows the planet.
struct GlobePixel {
  int x = 0;
  int y = 0;
  // The height of the ground.
  float height_m = 0;
  // East is to the right of the picture, south downward.
  Slope slope;
  // A value of LAYER_COVER.
  std::int32_t cover = 0;
  // The cosine of the angle to the line of sight, and how much of the pixel the planet covers.
  float facing = 1;
  float share = 1;
};

struct GlobeOptions {
  // Pixels on a side.
  int size = 0;
  // The size of a pixel on the ground in the middle of the disc.
  double pixel_m = 1;
  // Ground below it is sea.
  std::optional<double> sea_level_m = std::nullopt;
  // Whether the cover is drawn instead of the heights' tints.
  bool satellite = false;
};

// Draws the planet in the light of reliefs, a little darker towards its edge, before a dark sky.
Image RenderGlobe(std::span<const GlobePixel> pixels, const GlobeOptions& options);

}  // namespace thalweg::picture
