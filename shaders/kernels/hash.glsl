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

// A hash of a seed and of a stream, which separates the uses of one seed.
KERNEL uint hashStream(uvec2 seed, uint stream) {
  return pcg(pcg(seed.x + stream * 0x9e3779b9u) ^ seed.y);
}

// A hash of an earlier hash and of a 64-bit coordinate.
KERNEL uint hashOn(uint hash, int64_t coordinate) {
  return pcg(pcg(hash ^ uint(coordinate)) ^ uint(coordinate >> 32));
}

// A hash of a seed, of a stream and of a 64-bit lattice point.
KERNEL uint hashPoint(uvec2 seed, uint stream, int64_t x, int64_t y) {
  return hashOn(hashOn(hashStream(seed, stream), x), y);
}

KERNELS_END

#endif
