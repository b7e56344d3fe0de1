// Lattices of `ground` in space, for planets: what ground_lattice.glsl has on a plane. The ground cuts through their cells.
#ifndef THALWEG_KERNELS_GROUND_SPACE
#define THALWEG_KERNELS_GROUND_SPACE

#include "ground_lattice.glsl"

KERNELS_BEGIN

// Places in space count in 2^-kSpaceUnitBits of a cell.
CONSTANT int kSpaceUnitBits = 4;

KERNEL float spaceDot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KERNEL vec3 spaceCross(vec3 a, vec3 b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
KERNEL vec3 scaled(vec3 v, float by) { return vec3(v.x * by, v.y * by, v.z * by); }
KERNEL vec3 unitVector(vec3 v) { return scaled(v, reciprocalSqrt(max(spaceDot(v, v), 1e-12f))); }

// A quaternion of small integers, -8 to 7, in 16 bits: a turn whose matrix has integers too, if it is multiplied by the
// quaternion's norm (Shoemake 1985).
KERNEL int packedSpaceTurn(int a, int b, int c, int d) {
  return ((a & 15) << 12) | ((b & 15) << 8) | ((c & 15) << 4) | (d & 15);
}
struct SpaceTurn {
  ivec3 x;  // the rows of the matrix
  ivec3 y;
  ivec3 z;
};
KERNEL int signedNibble(int packed, int at) { return int(uint(packed) << uint(28 - at)) >> 28; }
KERNEL int spaceNorm(int packed) {
  int a = signedNibble(packed, 12);
  int b = signedNibble(packed, 8);
  int c = signedNibble(packed, 4);
  int d = signedNibble(packed, 0);
  return a * a + b * b + c * c + d * d;
}
KERNEL SpaceTurn spaceTurn(int packed) {
  int a = signedNibble(packed, 12);
  int b = signedNibble(packed, 8);
  int c = signedNibble(packed, 4);
  int d = signedNibble(packed, 0);
  SpaceTurn turn;
  turn.x = ivec3(a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c));
  turn.y = ivec3(2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b));
  turn.z = ivec3(2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d);
  return turn;
}
// A vector along the lattice's axes, and longer by the norm.
KERNEL vec3 turnedBy(SpaceTurn turn, vec3 v) {
  return vec3(float(turn.x.x) * v.x + float(turn.x.y) * v.y + float(turn.x.z) * v.z,
              float(turn.y.x) * v.x + float(turn.y.y) * v.y + float(turn.y.z) * v.z,
              float(turn.z.x) * v.x + float(turn.z.y) * v.y + float(turn.z.z) * v.z);
}

// A place in a lattice: the cell, and the position in it, 0 to 1. Cells repeat after 2^32 of their units.
struct SpacePlace {
  uint x;
  uint y;
  uint z;
  uint mask;
  vec3 at;
};

KERNEL uint turnedUnits(ivec3 row, uint x, uint y, uint z) { return uint(row.x) * x + uint(row.y) * y + uint(row.z) * z; }
KERNEL SpacePlace spacePlace(uint x, uint y, uint z, SpaceTurn turn, int shift) {
  uint qx = turnedUnits(turn.x, x, y, z);
  uint qy = turnedUnits(turn.y, x, y, z);
  uint qz = turnedUnits(turn.z, x, y, z);
  // Positions in a cell keep 20 bits: exact in a float.
  int drop = max(shift - 20, 0);
  uint inside = maskOf(shift);
  float scale = uintBitsToFloat(uint(127 - min(shift, 20)) << 23);
  SpacePlace place;
  place.x = qx >> uint(shift);
  place.y = qy >> uint(shift);
  place.z = qz >> uint(shift);
  place.mask = maskOf(32 - shift);
  place.at = vec3(float(int((qx & inside) >> uint(drop))) * scale, float(int((qy & inside) >> uint(drop))) * scale,
                  float(int((qz & inside) >> uint(drop))) * scale);
  return place;
}

// A lattice of a length in metres, as farLattice has on a plane.
KERNEL int farSpaceLattice(int packed_turn, int shift, int bits) { return packed_turn | (shift << 16) | (bits << 21); }
KERNEL SpaceTurn farSpaceTurn(int far) { return spaceTurn(far & 65535); }
KERNEL SpacePlace farSpacePlace(uint x, uint y, uint z, int far) {
  SpacePlace place = spacePlace(x, y, z, farSpaceTurn(far), (far >> 16) & 31);
  place.mask = maskOf(far >> 21);
  return place;
}

// Hashes of the layers of cells, of the rows in a layer, and of the cells in a row, counted from the place's own.
KERNEL uint layerHash(SpacePlace place, uint base, uint up) { return pcg(base ^ ((place.z + up) & place.mask)); }
KERNEL uint rowHash(SpacePlace place, uint layer, uint south) { return pcg(layer ^ ((place.y + south) & place.mask)); }
KERNEL uint cellHash(SpacePlace place, uint row, uint east) { return pcg(row ^ ((place.x + east) & place.mask)); }

KERNEL vec3 noisesOnRow(SpacePlace place, uint layer, uint south, vec3 away, float u) {
  uint row = rowHash(place, layer, south);
  return between(spaceGradientDots(cellHash(place, row, 0u), away),
                 spaceGradientDots(cellHash(place, row, 1u), away - vec3(1.0f, 0.0f, 0.0f)), u);
}
KERNEL vec3 noisesOnLayer(SpacePlace place, uint base, uint up, vec3 away, float u, float v) {
  uint layer = layerHash(place, base, up);
  return between(noisesOnRow(place, layer, 0u, away, u),
                 noisesOnRow(place, layer, 1u, away - vec3(0.0f, 1.0f, 0.0f), u), v);
}
// Three gradient noises that are independent of each other: mean 0, about -1 to 1, as rough as noise on a plane.
KERNEL vec3 noisesIn(SpacePlace place, uint base) {
  float u = fade(place.at.x);
  float v = fade(place.at.y);
  vec3 low = noisesOnLayer(place, base, 0u, place.at, u, v);
  vec3 high = noisesOnLayer(place, base, 1u, place.at - vec3(0.0f, 0.0f, 1.0f), u, v);
  return scaled(between(low, high, fade(place.at.z)), 1.126f);
}
KERNEL float noiseIn(SpacePlace place, uint base) { return noisesIn(place, base).x; }

// The first of the eight cells whose middles are around a place. Their points are up to a quarter of a cell from their
// middles along each axis, so every point that is nearer than 3/4 of a cell is in one of the eight.
KERNEL SpacePlace firstAround(SpacePlace place) {
  SpacePlace first = place;
  bool west = place.at.x < 0.5f;
  bool north = place.at.y < 0.5f;
  bool low = place.at.z < 0.5f;
  first.x = place.x - (west ? 1u : 0u);
  first.y = place.y - (north ? 1u : 0u);
  first.z = place.z - (low ? 1u : 0u);
  // From the middle of the first cell.
  first.at = vec3(place.at.x + (west ? 0.5f : -0.5f), place.at.y + (north ? 0.5f : -0.5f), place.at.z + (low ? 0.5f : -0.5f));
  return first;
}
// A cell's point, -1/4 to 1/4 along each axis from the cell's middle.
KERNEL vec3 pointOf(uint hash) {
  return vec3(float(int(hash & 1023u)), float(int((hash >> 10) & 1023u)), float(int((hash >> 20) & 1023u))) *
             vec3(0.00048828125f, 0.00048828125f, 0.00048828125f) -
         vec3(0.25f, 0.25f, 0.25f);
}

// Stripes as those on a plane. across: waves in a cell along the lattice's axes.
KERNEL vec2 stripe(SpacePlace first, uint row, uint east, vec3 from, vec3 across) {
  vec3 away = from - vec3(float(int(east)), 0.0f, 0.0f) - pointOf(cellHash(first, row, east));
  float near = max(1.0f - spaceDot(away, away) * 1.7777778f, 0.0f);
  vec2 wave = circleAt(spaceDot(away, across));
  return vec2(near * near * wave.x, near * near * wave.y);
}
KERNEL vec2 stripesOnRow(SpacePlace first, uint layer, uint south, vec3 from, vec3 across) {
  uint row = rowHash(first, layer, south);
  vec3 away = from - vec3(0.0f, float(int(south)), 0.0f);
  return stripe(first, row, 0u, away, across) + stripe(first, row, 1u, away, across);
}
KERNEL vec2 stripesOnLayer(SpacePlace first, uint base, uint up, vec3 across) {
  uint layer = layerHash(first, base, up);
  vec3 away = first.at - vec3(0.0f, 0.0f, float(int(up)));
  return stripesOnRow(first, layer, 0u, away, across) + stripesOnRow(first, layer, 1u, away, across);
}
KERNEL vec2 stripes(SpacePlace place, vec3 across, uint base) {
  SpacePlace first = firstAround(place);
  return stripesOnLayer(first, base, 0u, across) + stripesOnLayer(first, base, 1u, across);
}

// The squares of the distances to the two nearest points, up to 3/4 of a cell; the nearest one's hash, and the way from it.
struct NearSpacePoints {
  float first;
  float second;
  uint hash;
  vec3 away;
};
KERNEL NearSpacePoints nearOf(NearSpacePoints near, SpacePlace first, uint row, uint east, vec3 from) {
  uint hash = cellHash(first, row, east);
  vec3 away = from - vec3(float(int(east)), 0.0f, 0.0f) - pointOf(hash);
  float square = spaceDot(away, away);
  bool nearer = square < near.first;
  NearSpacePoints found;
  found.first = min(near.first, square);
  found.second = min(near.second, max(near.first, square));
  found.hash = nearer ? hash : near.hash;
  found.away = vec3(nearer ? away.x : near.away.x, nearer ? away.y : near.away.y, nearer ? away.z : near.away.z);
  return found;
}
KERNEL NearSpacePoints nearInRow(NearSpacePoints near, SpacePlace first, uint layer, uint south, vec3 from) {
  uint row = rowHash(first, layer, south);
  vec3 away = from - vec3(0.0f, float(int(south)), 0.0f);
  return nearOf(nearOf(near, first, row, 0u, away), first, row, 1u, away);
}
KERNEL NearSpacePoints nearInLayer(NearSpacePoints near, SpacePlace first, uint base, uint up) {
  uint layer = layerHash(first, base, up);
  vec3 away = first.at - vec3(0.0f, 0.0f, float(int(up)));
  return nearInRow(nearInRow(near, first, layer, 0u, away), first, layer, 1u, away);
}
KERNEL NearSpacePoints nearPoints(SpacePlace place, uint base) {
  SpacePlace first = firstAround(place);
  NearSpacePoints near;
  near.first = 0.5625f;
  near.second = 0.5625f;
  near.hash = 0u;
  near.away = vec3(0.0f, 0.0f, 0.0f);
  return nearInLayer(nearInLayer(near, first, base, 0u), first, base, 1u);
}

// A ball in a lattice's cell and how the ground cuts it: the radius of the circle, and the way to a place from the circle's
// middle along two axes of the ground, in radii. radius: of the ball; up: the ground's normal in the lattice's axes;
// hash: turns the axes.
struct CutBall {
  float radius;
  float x;
  float y;
};
KERNEL CutBall cutBall(vec3 away, float radius, vec3 up, uint hash) {
  float over = spaceDot(away, up);
  vec3 along = away - scaled(up, over);
  float square = max(radius * radius - over * over, 1e-4f);
  CutBall cut;
  cut.radius = square * reciprocalSqrt(square);
  vec3 east = unitVector(spaceCross(up, pointOf(hash)));
  vec3 south = spaceCross(up, east);
  float per_radius = reciprocal(cut.radius);
  cut.x = spaceDot(along, east) * per_radius;
  cut.y = spaceDot(along, south) * per_radius;
  return cut;
}

KERNELS_END

#endif
