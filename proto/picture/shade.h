// Colours of ground and water in light.
#pragma once

#include <cstdint>

#include "proto/picture/image.h"

namespace thalweg::picture {

// Rise for each metre to the east and to the south.
struct Slope {
  float east = 0;
  float south = 0;
};

// A unit vector.
struct UnitNormal {
  float east = 0;
  float south = 0;
  float up = 1;
};

// Unpacks a value of LAYER_NORMAL.
UnitNormal NormalOf(std::int32_t packed);

// Returns the slope with this normal; the steepest possible slope for a horizontal normal.
Slope SlopeOf(const UnitNormal& normal);

// Returns the steepness: metres of rise for each metre in the direction of the steepest ascent.
float Steepness(Slope slope);

// Returns the factor that exaggerates relief at a spacing of vertices. Coarse levels lose slopes by
// averaging, so they get more; below some metres there is no exaggeration. It depends on nothing
// else, so that adjacent pictures match.
float Exaggeration(double cell_size_m);

// Exaggerates a slope, and limits it so that cliffs keep some light and gentle ground all of its
// own.
Slope Exaggerate(Slope slope, float exaggeration);

// Returns the light that falls on a slope, 0 to 1: three fifths from the north-west at 45 degrees,
// two fifths from four azimuths from south-west to north, each weighted by how much the slope faces
// across it (Mark 1992, "Multidirectional, oblique-weighted, shaded-relief image of the island of
// Hawaii", USGS OFR 92-422), so that ridges along the main light stay visible.
float Illumination(Slope slope);

// Returns the light on flat ground.
float FlatIllumination();

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
