// What lies at points that are scattered in space, one in each cell of a lattice: the plates of a planet's crust, and
// craters.
#ifndef THALWEG_KERNELS_SCATTER
#define THALWEG_KERNELS_SCATTER

#include "noise.glsl"

KERNELS_BEGIN

// A place in a lattice: its cell, and where it is in it, 0 to 1.
struct Celled {
  int64_t x;
  int64_t y;
  int64_t z;
  vec3 at;
};

KERNEL float partOfCell(int64_t q, int shift) {
  int drop = max(shift - 20, 0);
  int64_t inside = q - ((q >> shift) << shift);
  return float(int(inside >> drop)) * uintBitsToFloat(uint(127 - min(shift, 20)) << 23);
}

KERNEL Celled celled(Place place, Lattice lattice) {
  Place q = turnedInSpace(place, lattice.turn_y);
  q.x *= lattice.turn_x;
  q.y *= lattice.turn_x;
  q.z *= lattice.turn_x;
  Celled cell;
  cell.x = q.x >> lattice.shift;
  cell.y = q.y >> lattice.shift;
  cell.z = q.z >> lattice.shift;
  cell.at = vec3(partOfCell(q.x, lattice.shift), partOfCell(q.y, lattice.shift), partOfCell(q.z, lattice.shift));
  return cell;
}

// From the place to the point of a neighbouring cell, in cells; points keep so far from the sides of theirs.
KERNEL vec3 toPoint(Celled cell, ivec3 to, uint hash, float aside) {
  float span = (1.0f - 2.0f * aside) * 0.00390625f;
  return vec3(float(to.x) + aside + float((hash >> 8) & 255u) * span - cell.at.x,
              float(to.y) + aside + float((hash >> 16) & 255u) * span - cell.at.y,
              float(to.z) + aside + float((hash >> 24) & 255u) * span - cell.at.z);
}

KERNEL uint hashOfCell(Celled cell, ivec3 to, Lattice lattice, uvec2 seed) {
  return hashOn(hashOn(hashOn(hashStream(seed, lattice.stream), cell.x + to.x), cell.y + to.y), cell.z + to.z);
}

// Half the difference of the distances to the two nearest points, in cells.
KERNEL float plateEdge(Place place, Lattice lattice, uvec2 seed) {
  Celled cell = celled(place, lattice);
  float nearest = 64.0f;
  float second = 64.0f;
  for (int k = 0; k < 27; ++k) {
    ivec3 to = ivec3(k % 3 - 1, (k / 3) % 3 - 1, k / 9 - 1);
    vec3 away = toPoint(cell, to, hashOfCell(cell, to, lattice, seed), 0.125f);
    float square = away.x * away.x + away.y * away.y + away.z * away.z;
    second = min(second, max(nearest, square));
    nearest = min(nearest, square);
  }
  // Squares are kept off 0, whose root the guess does not know.
  float near = max(nearest, 1e-6f);
  return 0.5f * (second * reciprocalSqrt(second) - near * reciprocalSqrt(near));
}

// The height of the craters around a place, of the depth of the largest one. A bowl is a paraboloid; its rim stands a
// quarter of the depth over the ground around, to twice the radius.
KERNEL float craterHeight(Place place, Lattice lattice, uvec2 seed) {
  Celled cell = celled(place, lattice);
  ivec3 first = ivec3(cell.at.x < 0.5f ? -1 : 0, cell.at.y < 0.5f ? -1 : 0, cell.at.z < 0.5f ? -1 : 0);
  float height = 0.0f;
  for (int k = 0; k < 8; ++k) {
    // Points keep a quarter of a cell from its sides: those of other cells are 0.75 cells away at least.
    ivec3 to = first + ivec3(k & 1, (k >> 1) & 1, k >> 2);
    uint hash = hashOfCell(cell, to, lattice, seed);
    vec3 away = toPoint(cell, to, hash, 0.25f);
    float part = float(hash & 255u) * 0.00390625f;
    float radius = 0.375f * (0.27f + 0.73f * part * part);
    float inverse = reciprocal(radius);
    float square = (away.x * away.x + away.y * away.y + away.z * away.z) * inverse * inverse;
    float over = max(2.0f - square * reciprocalSqrt(max(square, 1e-6f)), 0.0f);
    float profile = square < 1.0f ? 1.25f * square - 1.0f : 0.25f * over * over;
    height += radius * 2.6666667f * profile;
  }
  return height;
}

KERNELS_END

#endif
