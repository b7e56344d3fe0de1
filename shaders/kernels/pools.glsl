// Where water stands: depressions are filled to the height at which they spill (Planchon & Darboux
// 2001, as a parallel relaxation from above). Lakes that the parent level found stay as they are.
// Filling starts from one of two surfaces. One uses no other level: a vertex whose steepest descent
// ends in a pit within the trace is captured, and its surface begins above all ground; every other
// vertex is drained, and is an outlet. The other starts from the parent's ground, whose ways out
// reach much farther than this level could relax.
#ifndef THALWEG_KERNELS_POOLS
#define THALWEG_KERNELS_POOLS

#include "layers.glsl"

KERNELS_BEGIN

struct PoolsParams {
  int sea_level;  // kNoSea without one
  // Pools of at most this depth are silted up: the ground rises to their surface.
  int silt;
  int lakes;      // whether deeper pools become lakes: 0 or 1
  // Height units that a surface falls to its neighbour: a minimum, and a random part. A level
  // surface has 1 and 0.
  int step;
  int roughness;
  uint stream;
  // The layers, as bits, that have a plane in this world: whether there is water to keep.
  int planes;
};

struct InheritedSurfaceParams {
  int freeboard;  // how far water may rise over the parent's ground on its way out
  // As in PoolsParams.
  int sea_level;
  int step;
  int roughness;
  uint stream;
  int planes;
  int parent_side;
  int parent_size;  // as in UpsampleParams
};

// Rows whose surfaces one invocation lowers.
CONSTANT int kFillRows = 4;

// Above every surface, and far from overflow.
CONSTANT int kUnfilled = 0x7f000000;

// A vertex's surface during relaxation: its height, whether it is fixed, and its minimum rise over
// the neighbour that it drains to.
KERNEL uint64_t packedSurface(int surface, bool kept, uint step) {
  return (uint64_t(step | (kept ? 0x80000000u : 0u)) << 32) | uint64_t(uint(surface));
}
KERNEL int surfaceOf(uint64_t packed) { return int(uint(packed)); }
KERNEL bool isKept(uint64_t packed) { return int(uint(packed >> 32)) < 0; }
KERNEL uint stepOf(uint64_t packed) { return uint(packed >> 32) & 0x7fffffffu; }

// A random step. It makes ways over filled ground wander as rivers do on plains, instead of
// following the grid (first-passage percolation).
KERNEL uint surfaceStep(uint hash, int step, int roughness) {
  uint side = hash >> 28;
  return uint(step) + side * side * uint(roughness);
}

// A vertex's water surface after an iteration: as low as its lowest neighbour lets it drain. It
// never rises: a surface that began under the ground stays there, and water passes through.
KERNEL int relaxedSurface(int ground, int surface, int lowest_neighbour) {
  return min(surface, max(ground, lowest_neighbour));
}

// A surface after an iteration, from the lowest surfaces beside it and at its corners. high: its packed high word.
KERNEL int sunkSurface(int ground, int surface, uint high, int beside, int corner) {
  uint64_t packed = uint64_t(high) << 32;
  int straight = int(stepOf(packed));
  int diagonal = straight + (straight >> 1);
  int lowest = min(kUnfilled, min(beside + straight, corner + diagonal));
  int relaxed = relaxedSurface(ground, surface, lowest);
  return isKept(packed) ? surface : relaxed;
}

KERNELS_END

#endif
