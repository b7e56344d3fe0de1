// Where water stands: depressions are filled to the height at which they spill (Planchon & Darboux 2001,
// as a parallel relaxation from above). A vertex whose steepest descent ends in a pit within the trace
// is captured; every other one is drained, and an outlet for those. Lakes that the parent level found
// stay as they are.
#ifndef THALWEG_KERNELS_POOLS
#define THALWEG_KERNELS_POOLS

#include "language.glsl"

KERNELS_BEGIN

struct PoolsParams {
  int sea_level;  // kNoSea without one
  // Pools no deeper than this are silted up: ground rises to their surface.
  int silt;
};

// Over every surface; far enough from overflow.
CONSTANT int kUnfilled = 1 << 30;

// A vertex's water surface after an iteration: as low as a neighbour lets it drain, with a fall of a
// height unit a step that tells flow where the outlet is.
KERNEL int relaxedSurface(int ground, int surface, int lowest_neighbour) {
  return max(ground, min(surface, lowest_neighbour + 1));
}

KERNELS_END

#endif
