// Isostatic rebound: a level's loss is smoothed and given back. The filter is a triangle of 2
// radius - 1 taps in each axis; its weights sum to radius^2, a power of two.
#ifndef THALWEG_KERNELS_REBOUND
#define THALWEG_KERNELS_REBOUND

#include "exact.glsl"

KERNELS_BEGIN

struct ReboundParams {
  int radius;
  int radius_bits;
  int strength;  // in 1/65,536
};

// The weight of the tap at an offset, for |offset| < radius.
KERNEL int triangleWeight(int offset, ReboundParams params) { return params.radius - abs(offset); }

// The mean of taps from their weighted sum, rounded to nearest.
KERNEL int triangleMean(int64_t sum, ReboundParams params) {
  int shift = 2 * params.radius_bits;
  return int((sum + (int64_t(1) << (shift - 1))) >> shift);
}

// The part of a smoothed loss that is given back, held to -2^30 .. 2^30.
KERNEL int upliftOf(int smoothed_loss, ReboundParams params) {
  int uplift = int((int64_t(smoothed_loss) * params.strength) >> 16);
  return clamp(uplift, -kLargestChange, kLargestChange);
}

KERNELS_END

#endif
