// Lattices of `ground` on a plane: noise in their cells, stripes, and points.
#ifndef THALWEG_KERNELS_GROUND_LATTICE
#define THALWEG_KERNELS_GROUND_LATTICE

#include "noise.glsl"

KERNELS_BEGIN

KERNEL int packedTurn(int x, int y) { return (x << 16) | (y & 65535); }
KERNEL ivec2 turnOf(int packed) { return ivec2(packed >> 16, int(uint(packed) << 16) >> 16); }

// 0 up to `from`, 1 from `from` + 1 / steepness on, and smooth between.
KERNEL float smoothFrom(float from, float steepness, float value) {
  float t = clamp((value - from) * steepness, 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

// A nearly unit vector (to 3 %) in the direction that a hash gives.
KERNEL vec2 directionOfHash(uint hash) {
  float a = float(int(hash) >> 8) * 0.00000011920929f;
  float x = 1.0f - 2.0f * abs(a);
  float y = 1.0f - abs(x);
  y = a < 0.0f ? -y : y;
  return vec2(x * (1.5f - 0.5f * x * x), y * (1.5f - 0.5f * y * y));
}

// The cosine and the sine, to 2 %, of an angle in turns.
KERNEL vec2 circleAt(float turns) {
  float t = turns - floor(turns + 0.5f);
  float x = 1.0f - 4.0f * abs(t);
  float y = 1.0f - abs(x);
  y = t < 0.0f ? -y : y;
  return vec2(x * (1.5f - 0.5f * x * x), y * (1.5f - 0.5f * y * y));
}

// A place in a lattice: the cell, and the position in it, 0 to 1. Coordinates are the low halves of a vertex's; cells
// repeat after 2^32 of their units, which is farther than any feature of theirs is seen from.
struct CellPlace {
  uint x;
  uint y;
  uint mask_x;
  uint mask_y;
  float at_x;
  float at_y;
};

KERNEL uint maskOf(int bits) { return 0xffffffffu >> uint(32 - bits); }

KERNEL CellPlace cellPlace(uint x, uint y, ivec2 turn, int shift) {
  uint qx = x * uint(turn.x) - y * uint(turn.y);
  uint qy = x * uint(turn.y) + y * uint(turn.x);
  // Positions in a cell keep 20 bits: exact in a float.
  int drop = max(shift - 20, 0);
  uint inside = maskOf(shift);
  float scale = uintBitsToFloat(uint(127 - min(shift, 20)) << 23);
  CellPlace place;
  place.x = qx >> uint(shift);
  place.y = qy >> uint(shift);
  place.mask_x = maskOf(32 - shift);
  place.mask_y = place.mask_x;
  place.at_x = float(int((qx & inside) >> uint(drop))) * scale;
  place.at_y = float(int((qy & inside) >> uint(drop))) * scale;
  return place;
}

// A lattice of a length in metres: turns, shift, and the bits of a cell's number that all levels know.
KERNEL int farLattice(Lattice lattice, int bits) {
  return (lattice.turn_x + 32) | ((lattice.turn_y + 32) << 6) | (lattice.shift << 12) | (bits << 18);
}
KERNEL ivec2 farTurn(int far) { return ivec2((far & 63) - 32, ((far >> 6) & 63) - 32); }
KERNEL CellPlace farPlace(uint x, uint y, int far) {
  CellPlace place = cellPlace(x, y, farTurn(far), (far >> 12) & 31);
  place.mask_x = maskOf(far >> 18);
  place.mask_y = place.mask_x;
  return place;
}

KERNEL uint rowHash(CellPlace place, uint base, uint south) { return pcg(base ^ ((place.y + south) & place.mask_y)); }
KERNEL uint cellHash(CellPlace place, uint row, uint east) { return pcg(row ^ ((place.x + east) & place.mask_x)); }

// Gradient noise: mean 0, about -1 to 1.
KERNEL float noiseIn(CellPlace place, uint base) {
  uint north = rowHash(place, base, 0u);
  uint south = rowHash(place, base, 1u);
  PlaneCorners corners;
  corners.nw = directionOfHash(cellHash(place, north, 0u));
  corners.ne = directionOfHash(cellHash(place, north, 1u));
  corners.sw = directionOfHash(cellHash(place, south, 0u));
  corners.se = directionOfHash(cellHash(place, south, 1u));
  return noiseBetween(corners, vec2(place.at_x, place.at_y));
}

// Cosine and sine of the phase of stripes along a direction, blended from jittered points of a lattice.
// The part of one point, east and south of the place's cell. across: waves for a cell of the lattice along its axes.
KERNEL vec2 stripe(CellPlace place, uint row, int east, int south, vec2 across) {
  uint hash = cellHash(place, row, uint(east));
  float vx = place.at_x - float(east) - 0.5f - (float(int(hash & 65535u)) * 0.000015258789f - 0.5f) * 0.9f;
  float vy = place.at_y - float(south) - 0.5f - (float(int(hash >> 16)) * 0.000015258789f - 0.5f) * 0.9f;
  float near = max(1.0f - (vx * vx + vy * vy) * 0.90702945f, 0.0f);
  vec2 wave = circleAt(vx * across.x + vy * across.y);
  return vec2(near * near * wave.x, near * near * wave.y);
}
KERNEL vec2 stripeRow(CellPlace place, uint base, int south, vec2 across) {
  uint row = rowHash(place, base, uint(south));
  return stripe(place, row, -1, south, across) + stripe(place, row, 0, south, across) +
         stripe(place, row, 1, south, across);
}
KERNEL vec2 stripes(CellPlace place, vec2 across, uint base) {
  return stripeRow(place, base, -1, across) + stripeRow(place, base, 0, across) + stripeRow(place, base, 1, across);
}

// The squares of the distances to the two nearest points of a lattice, and the nearest one's hash and offset.
struct NearPoints {
  float first;
  float second;
  uint hash;
  float x;
  float y;
};
KERNEL NearPoints nearOf(NearPoints near, CellPlace place, uint row, int east, int south) {
  uint hash = cellHash(place, row, uint(east));
  float x = place.at_x - float(east) - 0.15f - 0.7f * (float(int(hash & 65535u)) * 0.000015258789f);
  float y = place.at_y - float(south) - 0.15f - 0.7f * (float(int(hash >> 16)) * 0.000015258789f);
  float square = x * x + y * y;
  bool nearer = square < near.first;
  NearPoints found;
  found.first = min(near.first, square);
  found.second = min(near.second, max(near.first, square));
  found.hash = nearer ? hash : near.hash;
  found.x = nearer ? x : near.x;
  found.y = nearer ? y : near.y;
  return found;
}
KERNEL NearPoints nearInRow(NearPoints near, CellPlace place, uint base, int south) {
  uint row = rowHash(place, base, uint(south));
  return nearOf(nearOf(nearOf(near, place, row, -1, south), place, row, 0, south), place, row, 1, south);
}

KERNEL NearPoints nearPoints(CellPlace place, uint base) {
  NearPoints near;
  near.first = 9.0f;
  near.second = 9.0f;
  near.hash = 0u;
  near.x = 0.0f;
  near.y = 0.0f;
  near = nearInRow(near, place, base, -1);
  near = nearInRow(near, place, base, 0);
  return nearInRow(near, place, base, 1);
}

KERNELS_END

#endif
