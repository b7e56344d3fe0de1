// Where water stands: depressions are filled to the height at which they spill (Planchon & Darboux
// 2001, as a parallel relaxation from above). Lakes that the parent level found stay as they are.
// There are two surfaces to begin from. One knows nothing: a vertex whose steepest descent ends in a
// pit within the trace is captured, and stands above everything; every other one is drained, and an
// outlet for those. The other one knows the parent's ground, whose own ways out reach far beyond
// what could be relaxed here.
#ifndef THALWEG_KERNELS_POOLS
#define THALWEG_KERNELS_POOLS

#include "layers.glsl"

KERNELS_BEGIN

struct PoolsParams {
  int sea_level;  // kNoSea without one
  // Pools no deeper than this are silted up: ground rises to their surface.
  int silt;
  int lakes;      // whether deeper ones are lakes: 0 or 1
  // Height units that a surface falls by to a neighbour: at least, and at random. A level one has 1
  // and 0.
  int step;
  int roughness;
  uint stream;
  // The layers that have a plane of their own: whether there is water to keep.
  int planes;
};

struct InheritedSurfaceParams {
  int freeboard;  // height that water may rise to over the parent's ground on its way out
  // As in PoolsParams.
  int sea_level;
  int step;
  int roughness;
  uint stream;
  int planes;
  int parent_side;
  int parent_size;  // as in UpsampleParams
};

// Rows whose surfaces an invocation sinks.
CONSTANT int kFillRows = 4;

// Over every surface, and far enough from overflow.
CONSTANT int kUnfilled = 0x7f000000;

// A vertex's surface as it is relaxed: the height; whether it stays what it is; and how much higher
// it stands, at least, than the neighbour that it drains to.
KERNEL uint64_t packedSurface(int surface, bool kept, uint step) {
  return (uint64_t((step << 1) | (kept ? 1u : 0u)) << 32) | uint64_t(uint(surface));
}
KERNEL int surfaceOf(uint64_t packed) { return int(uint(packed)); }
KERNEL bool isKept(uint64_t packed) { return (uint(packed >> 32) & 1u) != 0u; }
KERNEL uint stepOf(uint64_t packed) { return uint(packed >> 32) >> 1; }

// Steps at random make ways over filled ground wander as rivers on plains do, instead of following
// the grid (first-passage percolation).
KERNEL uint surfaceStep(uint hash, int step, int roughness) {
  uint side = hash >> 28;
  return uint(step) + side * side * uint(roughness);
}

// A vertex's water surface after an iteration: as low as a neighbour lets it drain. It never rises:
// where it began under the ground, it stays, and leads through.
KERNEL int relaxedSurface(int ground, int surface, int lowest_neighbour) {
  return min(surface, max(ground, lowest_neighbour));
}

KERNELS_END

#endif
