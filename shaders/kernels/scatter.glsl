// Values from points that are scattered in space, one in each cell of a lattice: the plates of a planet's crust, and
// craters.
#ifndef THALWEG_KERNELS_SCATTER
#define THALWEG_KERNELS_SCATTER

#include "noise.glsl"

KERNELS_BEGIN

// From the place to a neighbouring cell's point, in cells. aside: points' min distance to a cell's sides.
KERNEL vec3 toPoint(SpaceCell cell, ivec3 to, uint hash, float aside) {
  float span = (1.0f - 2.0f * aside) * 0.00390625f;
  return vec3(float(to.x) + aside + float((hash >> 8) & 255u) * span - cell.at.x,
              float(to.y) + aside + float((hash >> 16) & 255u) * span - cell.at.y,
              float(to.z) + aside + float((hash >> 24) & 255u) * span - cell.at.z);
}

KERNEL uint hashOfCell(SpaceCell cell, ivec3 to, Lattice lattice, uvec2 seed) {
  uint hash = pcg(hashStream(seed, lattice.stream) ^ uint(cell.x + to.x));
  return pcg(pcg(hash ^ uint(cell.y + to.y)) ^ uint(cell.z + to.z));
}

// Half the difference of the distances to the two nearest points, in cells.
KERNEL float plateEdge(Place place, Lattice lattice, uvec2 seed) {
  SpaceCell cell = spaceCell(place, lattice);
  float nearest = 64.0f;
  float second = 64.0f;
  uint base = hashStream(seed, lattice.stream);
  for (int x = -1; x <= 1; ++x) {
    uint layer = pcg(base ^ uint(cell.x + x));
    for (int y = -1; y <= 1; ++y) {
      uint column = pcg(layer ^ uint(cell.y + y));
      for (int z = -1; z <= 1; ++z) {
        vec3 away = toPoint(cell, ivec3(x, y, z), pcg(column ^ uint(cell.z + z)), 0.125f);
        float square = away.x * away.x + away.y * away.y + away.z * away.z;
        second = min(second, max(nearest, square));
        nearest = min(nearest, square);
      }
    }
  }
  // Squares are kept above 0, because reciprocalSqrt needs a normal number.
  float near = max(nearest, 1e-6f);
  return 0.5f * (second * reciprocalSqrt(second) - near * reciprocalSqrt(near));
}

// The height of the craters at a place, as a part of the largest one's depth. A bowl is a paraboloid. Its rim stands
// a quarter of the depth over the ground around it, and ends at twice the radius.
KERNEL float craterHeight(Place place, Lattice lattice, uvec2 seed) {
  SpaceCell cell = spaceCell(place, lattice);
  ivec3 first = ivec3(cell.at.x < 0.5f ? -1 : 0, cell.at.y < 0.5f ? -1 : 0, cell.at.z < 0.5f ? -1 : 0);
  float height = 0.0f;
  for (int k = 0; k < 8; ++k) {
    // Points keep a quarter of a cell from its sides: those of other cells are at least 0.75 cells away.
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
