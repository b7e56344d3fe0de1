// How bright ground of a given slope is.
#pragma once

#include <cstdint>

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

// What a value of LAYER_NORMAL stands for.
UnitNormal NormalOf(std::int32_t packed);

// The slope that has a normal; of one that points sideways the steepest there is.
Slope SlopeOf(const UnitNormal& normal);

// The steepness: metres of rise for each metre in the direction of the steepest ascent.
float Steepness(Slope slope);

// By how much relief is exaggerated at a spacing of vertices. Coarse levels average their slopes
// away, so they get more; below some metres ground is shown as it is. It depends on nothing else,
// so that pictures side by side match.
float Exaggeration(double cell_size_m);

// The slope, exaggerated, and bent so that cliffs keep some light and gentle ground all of its own.
Slope Exaggerate(Slope slope, float exaggeration);

// The light that falls on a slope, 0 to 1: three fifths from the north-west at 45 degrees, two
// fifths from four azimuths from south-west to north, each weighted by how much the slope faces
// across it (Mark 1992, "Multidirectional, oblique-weighted, shaded-relief image of the island of
// Hawaii", USGS OFR 92-422), so that ridges along the main light are not lost.
float Illumination(Slope slope);

// The light on flat ground.
float FlatIllumination();

}  // namespace thalweg::picture
