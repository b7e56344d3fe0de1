// Ground that stands high over a neighbour crumbles, as flows between neighbours. One vertex gains exactly what the
// other loses, so nothing is lost to rounding.
#ifndef THALWEG_KERNELS_FROST
#define THALWEG_KERNELS_FROST

#include "language.glsl"

KERNELS_BEGIN

struct FrostParams {
  // The height over a neighbour that lasts.
  int ledge;
  // The part of the rest that crumbles onto one neighbour, in 1/65,536; max a sixteenth.
  int part;
};

// What crumbles from a vertex of height b onto one of height a. With a and b swapped it is the negative.
KERNEL int64_t frostFlow(int a, int b, FrostParams params) {
  int64_t apart = b >= a ? int64_t(b) - int64_t(a) : int64_t(a) - int64_t(b);
  int64_t loose = apart - int64_t(params.ledge);
  if (loose <= 0) return int64_t(0);
  int64_t flow = (loose * int64_t(params.part)) >> 16;
  return b >= a ? flow : -flow;
}

KERNELS_END

#endif
