#include "client/tools/picture/globe.h"

#include <algorithm>
#include <cmath>

#include "proto/picture/ramp.h"
#include "proto/picture/shade.h"

namespace thalweg::picture {
namespace {

constexpr Color kSky = {0.02F, 0.025F, 0.04F};

// Averaging over cells of many kilometres removes nearly all slopes.
float OrbitExaggeration(double pixel_m) {
  constexpr double kPerMetre = 2.0 / 1000;
  return std::max(static_cast<float>(kPerMetre * pixel_m), Exaggeration(pixel_m));
}

HeightScale ScaleOf(std::span<const GlobePixel> pixels, const GlobeOptions& options) {
  HeightScale scale;
  const auto [low, high] = std::ranges::minmax_element(pixels, {}, &GlobePixel::height_m);
  if (low != pixels.end()) {
    scale.min_m = low->height_m;
    scale.max_m = high->height_m;
  }
  if (options.sea_level_m) scale.sea_level_m = static_cast<float>(*options.sea_level_m);
  return scale;
}

Color GroundOf(const GlobePixel& pixel, const Shade& shade, const HeightScale& scale,
               bool satellite) {
  const float depth_m = scale.sea_level_m ? *scale.sea_level_m - pixel.height_m : 0;
  if (satellite) return LitCover(pixel.cover, depth_m, shade);
  if (depth_m > 0) return LitWater(depth_m, shade);
  return LitLand(RampPosition(pixel.height_m, scale), shade);
}

}  // namespace

Image RenderGlobe(std::span<const GlobePixel> pixels, const GlobeOptions& options) {
  Image image(options.size, options.size);
  for (int y = 0; y < options.size; ++y) {
    for (int x = 0; x < options.size; ++x) image.Set(x, y, kSky);
  }
  const HeightScale scale = ScaleOf(pixels, options);
  const float exaggeration = OrbitExaggeration(options.pixel_m);
  for (const GlobePixel& pixel : pixels) {
    const Shade shade{
        .light = Illumination(Exaggerate(pixel.slope, exaggeration)) / FlatIllumination(),
        .open = 0.3F + 0.7F * std::sqrt(pixel.facing),
        .steepness = Steepness(pixel.slope)};
    const Color ground = GroundOf(pixel, shade, scale, options.satellite);
    image.Set(pixel.x, pixel.y, Mix(kSky, ground, pixel.share));
  }
  return image;
}

}  // namespace thalweg::picture
