// Colours of ground and water in light.
#pragma once

#include "proto/picture/image.h"

namespace thalweg::picture {

// The light at a vertex: 1 on flat open ground.
struct Shade {
  float light = 1;
  // The part of the light that valleys keep.
  float open = 1;
  float steepness = 0;
};

// Returns a tint in this light: shadows are cool, lit ground is warm.
Color Lit(Color tint, const Shade& shade);

// Returns standing water with a depth above 0, over ground in this light.
Color LitWater(float depth_m, const Shade& shade);

// Returns land at a position of the ramp, with bare rock where it is steep.
Color LitLand(float position, const Shade& shade);

// Returns a river over ground of a colour; `share` is RiverShare's.
Color WithRiver(Color ground, float share, const Shade& shade);

}  // namespace thalweg::picture
