// The way to the shore: from each vertex the offset to the nearest vertex on the other side, land
// or water (exact, by rows and then columns, after Meijster, Roerdink & Hesselink 2000).
#ifndef THALWEG_KERNELS_SHORE
#define THALWEG_KERNELS_SHORE

#include "layers.glsl"
#include "sphere.glsl"

KERNELS_BEGIN

struct ShoreParams {
  int radius;     // in cells, at most 32
  int sea_level;  // kNoSea without one
  int planes;     // as in BaseParams
};

// The offset in a row that has no vertex of the other side within the radius.
CONSTANT int kNoneInRow = 64;

// What a row says of a vertex: its side, and the column offset to the nearest of the other side.
KERNEL int packedRow(bool water, int dx) { return (dx << 1) | (water ? 1 : 0); }
KERNEL bool rowIsWater(int row) { return (row & 1) != 0; }
KERNEL int rowOffset(int row) { return row >> 1; }

// Two offsets in one word, x in the lower half.
KERNEL int packedShore(int dx, int dy) { return int((uint(dy) << 16) | (uint(dx) & 65535u)); }

// Turns an offset by quarter turns.
KERNEL int turnedShore(int shore, int turns) {
  if (shore == kNoShore) return shore;
  ivec2 turned = turnedVector(ivec2(int(uint(shore) << 16) >> 16, shore >> 16), turns & 3);
  return packedShore(turned.x, turned.y);
}

KERNELS_END

#endif
