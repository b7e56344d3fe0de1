// A level's first ground: its parent's ground, interpolated, with detail.
#ifndef THALWEG_KERNELS_UPSAMPLE
#define THALWEG_KERNELS_UPSAMPLE

#include "layers.glsl"
#include "noise.glsl"

KERNELS_BEGIN

struct DetailParams {
  // Height of a cell in height units.
  float cell;
  float inverse_cell;
  // Amplitudes in cells: on flat ground, and for each unit of slope.
  float roughness;
  float slope_roughness;
};

// The middle between b and c by the interpolating 4-point kernel (-1, 9, 9, -1) / 16 (Deslauriers &
// Dubuc 1989), rounded to nearest and held.
KERNEL int middle(int a, int b, int c, int d) {
  // 9 (c - b) - (a - b) - (d - b) may have 36 bits, so sixteenths and the rest are summed apart.
  int sixteenths = 9 * ((c - b) >> 4) - ((a - b) >> 4) - ((d - b) >> 4);
  int rest = 9 * ((c - b) & 15) - ((a - b) & 15) - ((d - b) & 15);
  return heldHeight(b + sixteenths + ((rest + 8) >> 4));
}

// The same beside an edge that no vertex beyond counts over: the middle between b and c by a parabola through three vertices
// from the edge on, b, c and d.
KERNEL int middleBeside(int b, int c, int d) {
  int eighths = 6 * ((c - b) >> 3) - ((d - b) >> 3);
  int rest = 6 * ((c - b) & 7) - ((d - b) & 7);
  return heldHeight(b + eighths + ((rest + 4) >> 3));
}
// edge: -1 if b is on an edge, 1 if c is, 0 if none is. Without branches, so that rows are vectors.
KERNEL int middleWithin(int a, int b, int c, int d, int edge) {
  int first = edge > 0 ? c : b;
  int second = edge > 0 ? b : c;
  int third = edge > 0 ? a : d;
  int beside = middleBeside(first, second, third);
  int between = middle(a, b, c, d);
  return edge != 0 ? beside : between;
}

// The height of detail to add, where the parent's ground rises by this much to the east and to the
// south over a parent cell.
KERNEL int detailHeight(float noise, int rise_x, int rise_y, DetailParams params) {
  float sx = abs(float(rise_x)) * params.inverse_cell * 0.5f;
  float sy = abs(float(rise_y)) * params.inverse_cell * 0.5f;
  float slope = min(max(sx, sy) + 0.5f * min(sx, sy), 1.0f);
  return heldChange(noise * (params.roughness + params.slope_roughness * slope) * params.cell);
}

// Flow that a child inherits from the mean of its parent's: a child's cell is half as wide and gets
// a quarter of the rain, so the same river is twice as many of the child's units. The rain of a cell on any hillside is
// not passed on.
KERNEL int inheritedFlow(int parent_flow) { return min(2 * max(parent_flow - kCellRain, 0), 1 << 28); }

// A lake stays level while its shore refines: a child inherits the highest level around it unchanged.
// Ground that is dry without its detail stays dry; otherwise lakes would leak at every bank.
KERNEL int heldGround(int ground, int smooth_ground, int level) {
  return smooth_ground >= level ? max(ground, level) : ground;
}

KERNELS_END

#endif
