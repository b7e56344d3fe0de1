// The binomial filter (1 2 1) x (1 2 1) / 16, as flows between neighbours. One vertex gains exactly
// what the other loses, so nothing is lost to rounding.
#ifndef THALWEG_KERNELS_BLUR
#define THALWEG_KERNELS_BLUR

#include "language.glsl"

KERNELS_BEGIN

struct BlurParams {
  // The part of a difference that flows, in 1/65,536: to a straight and to a diagonal neighbour.
  int straight;
  int diagonal;
};

// What flows from a vertex of height b to one of height a. With a and b swapped it is the negative.
KERNEL int64_t blurFlow(int a, int b, int weight) {
  uint apart = b >= a ? uint(b) - uint(a) : uint(a) - uint(b);
  int64_t flow = int64_t((uint64_t(apart) * uint64_t(weight)) >> 16);
  return b >= a ? flow : -flow;
}

KERNELS_END

#endif
