// Gradient noise on lattices that are turned against the vertex grid, so that no octave shows the
// grid's axes and no two octaves share their zeros.
#ifndef THALWEG_KERNELS_NOISE
#define THALWEG_KERNELS_NOISE

#include "exact.glsl"
#include "hash.glsl"

KERNELS_BEGIN

// A place: 64-bit fixed-point vertex coordinates of a level, in 1/256 of a cell.
struct Place {
  int64_t x;
  int64_t y;
};

// A lattice of gradients. A place p is turned and scaled to q = p * (turn.x + i * turn.y), and
// 2^shift units of q are a lattice cell. Every |turn| is 31 or less, so |p| < 2^57 cannot overflow.
struct Lattice {
  int turn_x;
  int turn_y;
  int shift;
  uint stream;
};

// 6t^5 - 15t^4 + 10t^3: zero first and second derivatives at 0 and 1 (Perlin 2002).
KERNEL float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

// The dot product of (x, y) with a unit vector whose angle is evenly spread by the hash.
KERNEL float gradientDot(uint hash, float x, float y) {
  // An eighth of the circle: tan(pi/4 t) by a cubic, its error is 0.002.
  float t = float(hash >> 8) * 5.9604645e-8f;
  float tangent = t * (0.7854f + 0.2146f * t * t);
  float unit = reciprocalSqrt(1.0f + tangent * tangent);
  float along = unit;
  float across = tangent * unit;
  float a = (hash & 1u) != 0u ? x : y;
  float b = (hash & 1u) != 0u ? y : x;
  along = (hash & 2u) != 0u ? along : -along;
  across = (hash & 4u) != 0u ? across : -across;
  return a * along + b * across;
}

// Gradient noise at a place: mean 0, about -1 to 1.
KERNEL float gradientNoise(Place place, Lattice lattice, uvec2 seed) {
  int64_t qx = place.x * lattice.turn_x - place.y * lattice.turn_y;
  int64_t qy = place.x * lattice.turn_y + place.y * lattice.turn_x;
  int64_t cx = qx >> lattice.shift;
  int64_t cy = qy >> lattice.shift;
  // Positions inside the cell keep 20 bits: exact in a float.
  int drop = max(lattice.shift - 20, 0);
  float to_unit = uintBitsToFloat(uint(127 - min(lattice.shift, 20)) << 23);
  float fx = float(int((qx - (cx << lattice.shift)) >> drop)) * to_unit;
  float fy = float(int((qy - (cy << lattice.shift)) >> drop)) * to_unit;
  float nw = gradientDot(hashPoint(seed, lattice.stream, cx, cy), fx, fy);
  float ne = gradientDot(hashPoint(seed, lattice.stream, cx + 1, cy), fx - 1.0f, fy);
  float sw = gradientDot(hashPoint(seed, lattice.stream, cx, cy + 1), fx, fy - 1.0f);
  float se = gradientDot(hashPoint(seed, lattice.stream, cx + 1, cy + 1), fx - 1.0f, fy - 1.0f);
  float u = fade(fx);
  float v = fade(fy);
  float north = nw + (ne - nw) * u;
  float south = sw + (se - sw) * u;
  return (north + (south - north) * v) * 1.41421356f;
}

KERNELS_END

#endif
