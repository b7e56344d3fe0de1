// Isostatic rebound: the loss of a level, smoothed, is given back. The smoothing is a triangle of
// 2 radius - 1 taps in each axis; its weights sum to radius^2, a power of two.
#ifndef THALWEG_KERNELS_REBOUND
#define THALWEG_KERNELS_REBOUND

#include "language.glsl"

KERNELS_BEGIN

struct ReboundParams {
  int radius;
  int radius_bits;
  int strength;  // of 65,536
};

// Weight of the tap at this offset, |offset| < radius.
KERNEL int triangleWeight(int offset, ReboundParams params) { return params.radius - abs(offset); }

// A weighted sum of taps as a mean, rounded to nearest.
KERNEL int triangleMean(int64_t sum, ReboundParams params) {
  int shift = 2 * params.radius_bits;
  return int((sum + (int64_t(1) << (shift - 1))) >> shift);
}

// What is given back of a smoothed loss.
KERNEL int upliftOf(int smoothed_loss, ReboundParams params) {
  return int((int64_t(smoothed_loss) * params.strength) >> 16);
}

KERNELS_END

#endif
