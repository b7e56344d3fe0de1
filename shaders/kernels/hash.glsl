// Integer hashes of lattice points: the only source of randomness.
#ifndef THALWEG_KERNELS_HASH
#define THALWEG_KERNELS_HASH

#include "language.glsl"

KERNELS_BEGIN

// PCG-RXS-M-XS-32, a permutation of the 32-bit numbers (O'Neill 2014; Jarzynski & Olano 2020).
KERNEL uint pcg(uint value) {
  uint state = value * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

// A hash of a seed, of a stream that separates the uses of one seed, and of a 64-bit lattice point.
KERNEL uint hashPoint(uvec2 seed, uint stream, int64_t x, int64_t y) {
  uint h = pcg(seed.x + stream * 0x9e3779b9u);
  h = pcg(h ^ seed.y);
  h = pcg(h ^ uint(x));
  h = pcg(h ^ uint(x >> 32));
  h = pcg(h ^ uint(y));
  return pcg(h ^ uint(y >> 32));
}

KERNELS_END

#endif
