// Land from its rivers up: relief that rivers leave in the long run. Each vertex has one receiver, and
// its height is that of the vertex some steps down plus what the steady state of the stream power law
// adds on the way, slope = k A^-theta (Hack 1957; Whipple & Tucker 1999), bent to the angle of repose.
// A level keeps its parent's rivers: where more than a few cells drain, the parent's way is the
// child's way too, at vertices that were displaced at random, so that nothing follows the grid. All
// other ground finds its way to them.
#ifndef THALWEG_KERNELS_RIVERS
#define THALWEG_KERNELS_RIVERS

#include "exact.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct RiversParams {
  // How far parents' vertices are displaced at most, in 1/256 of the parent's cell.
  int jitter;
  uint stream;
  // The layers, as bits, that have a plane of their own in this world.
  int planes;
  int parent_side;
  int parent_size;
  int sea_level;
  // The area of the parent, in its cells, from which on its ways are kept.
  int keep;
  // A random part of every fall, when the way down is chosen.
  float wander;
  // The least that a way falls by a cell, in height units.
  int descent;
  // log2 of the slope of a channel that drains one cell, and of the angle of repose as a slope.
  float log_steepness;
  float log_repose;
  float concavity;  // theta
  // What the angle of repose rises by over a cell, in height units.
  float repose;
  // The largest stable difference to a neighbour: straight, diagonal.
  int talus;
  int diagonal_talus;
};

// A way: a direction of `neighbour`, or that water goes no further; and whether the parent has it too.
CONSTANT int kWayEnds = 8;
CONSTANT int kWayKept = 16;
// Over every way: none is known yet.
CONSTANT int kWayUnknown = 32;

KERNEL int wayDirection(int way) { return way & 15; }

// A drained area, in cells, as 16 bits: 11 significant ones and a shift. Larger areas have larger
// codes.
KERNEL int areaCode(uint64_t cells) {
  uint high = uint(cells >> 32);
  int top = high != 0u ? 32 + findMSB(high) : findMSB(uint(cells));
  int shift = max(top - 10, 0);
  return (shift << 10) + int(uint(cells >> shift));
}
KERNEL int areaShift(int code) { return max((code >> 10) - 1, 0); }
KERNEL uint64_t areaOf(int code) {
  int shift = areaShift(code);
  return uint64_t(uint(code - (shift << 10))) << shift;
}
// log2 of an area of a cell or more.
KERNEL float logOfArea(int code) {
  int shift = areaShift(code);
  return logarithm(float(code - (shift << 10))) + float(shift);
}

// What children inherit: the direction of the way and the area that it drains. 0: nothing is known.
KERNEL int packedRiver(int direction, int code) { return (code << 4) | (direction + 1); }
KERNEL int riverDirection(int river) { return (river & 15) - 1; }
KERNEL int riverArea(int river) { return river >> 4; }

// The direction of a step to one of eight neighbours.
KERNEL int directionOf(int dx, int dy) {
  if (dy == 0) return dx > 0 ? 0 : 4;
  if (dy > 0) return dx > 0 ? 1 : (dx == 0 ? 2 : 3);
  return dx < 0 ? 5 : (dx == 0 ? 6 : 7);
}

// How far a parent's vertex is displaced in an axis, in 1/256 of its cell, by 16 random bits.
KERNEL int jitterOf(uint bits, RiversParams params) {
  return ((int(bits & 65535u) - 32768) * params.jitter) >> 15;
}

// A displacement in whole cells of the child.
KERNEL int childCells(int jitter) { return (jitter + 64) >> 7; }

// Where a way of so many steps is after some of them, in an axis along which it runs so far: a
// straight line, rounded by chance.
KERNEL int alongWay(int run, int taken, int steps, uint chance) {
  int parts = 16 * steps;
  return (run * taken * 16 + int(chance & 15u) * steps + 8 * parts) / parts - 8;
}

// The value between b and c by a cubic (Catmull & Rom 1974); t: 0 at b, 1 at c.
KERNEL float cubicBetween(float a, float b, float c, float d, float t) {
  float bend = 3.0f * (b - c) + d - a;
  float curve = 2.0f * a - 5.0f * b + 4.0f * c - d;
  return b + 0.5f * t * (c - a + t * (curve + t * bend));
}

// What a fall in a direction counts: less by a random part.
KERNEL float weighedFall(float fall, uint chance, int direction, RiversParams params) {
  float part = float((chance >> uint(4 * direction)) & 15u) * 0.0625f;
  float run = (direction & 1) != 0 ? 0.70710678f : 1.0f;
  return fall * run * (1.0f - params.wander * part);
}

// What the ground rises by over a step up a way with this area at its upper end.
KERNEL int riseOf(int direction, int code, RiversParams params) {
  float log_slope = params.log_steepness - params.concavity * logOfArea(code);
  // Bent to the angle of repose T: s T / (s^2.5 + T^2.5)^0.4.
  float over = clamp(2.5f * (params.log_repose - log_slope), -60.0f, 60.0f);
  float bent = params.repose * power(1.0f + powerOfTwo(over), -0.4f);
  float run = (direction & 1) != 0 ? 1.41421356f : 1.0f;
  return max(int(bent * run), params.descent);
}

KERNELS_END

#endif
