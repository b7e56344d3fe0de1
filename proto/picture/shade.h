// Ground and water in their light.
#pragma once

#include "proto/picture/image.h"

namespace thalweg::picture {

// What light falls on a vertex: 1 on flat open ground.
struct Shade {
  float light = 1;
  // The part of the light that valleys keep.
  float open = 1;
  float steepness = 0;
};

// A tint in that light: shadows are cool, lit ground is warm.
Color Lit(Color tint, const Shade& shade);

// Standing water of a depth above 0 over ground in that light.
Color LitWater(float depth_m, const Shade& shade);

// Land at a place of the ramp, bare rock where it is steep.
Color LitLand(float position, const Shade& shade);

// A river over ground of a colour; its share is RiverShare's.
Color WithRiver(Color ground, float share, const Shade& shade);

}  // namespace thalweg::picture
