// Where water stands: depressions are filled to the height at which they spill (Planchon & Darboux
// 2001, as a parallel relaxation from above). A vertex whose steepest descent ends in a pit within
// the trace is captured; every other one is drained, and an outlet for those. Lakes that the parent
// level found stay as they are.
#ifndef THALWEG_KERNELS_POOLS
#define THALWEG_KERNELS_POOLS

#include "language.glsl"

KERNELS_BEGIN

struct PoolsParams {
  int sea_level;  // kNoSea without one
  // Pools no deeper than this are silted up: ground rises to their surface.
  int silt;
  int lakes;      // whether deeper ones are lakes: 0 or 1
  int roughness;  // of the way over filled ground: 0 for a level surface
  uint stream;
  // The layers that have a plane of their own: whether there is water to keep.
  int planes;
};

// Over every surface; far enough from overflow.
CONSTANT int kUnfilled = 1 << 30;

// A vertex's surface as it is relaxed: the height; whether it stays what it is; and how much higher
// it stands, at least, than the neighbour that it drains to.
KERNEL uint64_t packedSurface(int surface, bool kept, uint step) {
  return (uint64_t((step << 1) | (kept ? 1u : 0u)) << 32) | uint64_t(uint(surface));
}
KERNEL int surfaceOf(uint64_t packed) { return int(uint(packed)); }
KERNEL bool isKept(uint64_t packed) { return (uint(packed >> 32) & 1u) != 0u; }
KERNEL uint stepOf(uint64_t packed) { return uint(packed >> 32) >> 1; }

// Steps at random make ways over filled ground wander as rivers on plains do, instead of following
// the grid (first-passage percolation). A level surface has steps of 1: 15 micrometres.
KERNEL uint surfaceStep(uint hash, int roughness) {
  uint side = hash >> 28;
  return 1u + side * side * uint(roughness);
}

// A vertex's water surface after an iteration: as low as a neighbour lets it drain.
KERNEL int relaxedSurface(int ground, int surface, int lowest_neighbour) {
  return max(ground, min(surface, lowest_neighbour));
}

KERNELS_END

#endif
