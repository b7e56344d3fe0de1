// Land from its rivers up: relief that rivers leave in the long run. Each vertex has one receiver, and
// its height is that of the vertex some steps down plus what the steady state of the stream power law
// adds on the way, slope = k A^-theta (Hack 1957; Whipple & Tucker 1999), bent to the angle of repose.
// A level keeps its parent's rivers: where more than a few cells drain, the parent's way is the
// child's way too, at vertices that were displaced at random, so that nothing follows the grid. All
// other ground finds its way to them.
#ifndef THALWEG_KERNELS_RIVERS
#define THALWEG_KERNELS_RIVERS

#include "noise.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct RiversParams {
  // Parents' vertices are displaced by noise of this lattice and amplitude, in 1/256 of their cell. Its
  // stream is the first of the stage's.
  Lattice lattice;
  float displacement;
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
  // A cell, of the length that crests are rounded over; 0: they are sharp.
  float crest;
  // log2 of the area, in cells, from which on water makes channels; and the part of the difference to
  // the mean around it that ground above them creeps by.
  float log_channel;
  float creep;
};

// Where ground falls by so much more than the angle of repose, a way turns down there, unless it drains
// as many cells as this.
CONSTANT float kCapture = 1.1f;
CONSTANT uint kCapturedCells = 64u;

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

// A factor of steepness, from 1/256 to 256, as the 64th part of an octave; 0: it is 1.
CONSTANT int kWholeSteepness = 1024;
KERNEL int steepnessCode(float factor) {
  float octaves = logarithm(clamp(factor, 0.00390625f, 256.0f));
  return kWholeSteepness + int(floor(64.0f * octaves + 0.5f));
}
KERNEL int knownSteepness(int code) { return code == 0 ? kWholeSteepness : code; }

// What children inherit: the way's direction, the area that it drains, the steepness of channels.
KERNEL int packedRiver(int direction, int area, int steepness) {
  return (steepness << 20) | (area << 4) | (direction + 1);
}
KERNEL bool isRiverKnown(int river) { return (river & 15) != 0; }
KERNEL int riverDirection(int river) { return (river & 15) - 1; }
KERNEL int riverArea(int river) { return (river >> 4) & 65535; }
KERNEL int riverSteepness(int river) { return river >> 20; }

// The direction of a step to one of eight neighbours.
KERNEL int directionOf(int dx, int dy) {
  if (dy == 0) return dx > 0 ? 0 : 4;
  if (dy > 0) return dx > 0 ? 1 : (dx == 0 ? 2 : 3);
  return dx < 0 ? 5 : (dx == 0 ? 6 : 7);
}

// Streams of a stage's random numbers, after that of the displacement to the east.
CONSTANT uint kStreamSouth = 1u;
CONSTANT uint kStreamWay = 2u;
CONSTANT uint kStreamStep = 3u;
CONSTANT uint kStreamFall = 4u;

// How far ground is displaced at a place in an axis, in 1/256 of the parent's cell: less than three
// quarters, so that a parent's vertex moves one cell of the child at most.
KERNEL int displacedBy(Place place, uint stream, uvec2 seed, RiversParams params) {
  Lattice lattice = params.lattice;
  lattice.stream += stream;
  float moved = gradientNoise(place, lattice, seed) * params.displacement;
  return int(floor(clamp(moved, -180.0f, 180.0f)));
}

// A displacement in whole cells of the child.
KERNEL int childCells(int displaced) { return (displaced + 64) >> 7; }

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

// What a fall in a direction counts: less by a random part. A diagonal counts a little less than by its
// length, 0.71: among random falls the steepest is a diagonal one too often, which was seen in spectra.
KERNEL float weighedFall(float fall, uint chance, int direction, RiversParams params) {
  float part = float((chance >> uint(4 * direction)) & 15u) * 0.0625f;
  float run = (direction & 1) != 0 ? 0.66f : 1.0f;
  return fall * run * (1.0f - params.wander * part);
}

// The slope of a hillslope below its crest, of the angle of repose: what ground that creeps the more
// the steeper it is becomes in the long run (Roering et al. 2007). The distance to the crest is the
// area that drains to a cell, by the cell.
KERNEL float partOfRepose(float log_area, RiversParams params) {
  if (params.crest <= 0.0f) return 1.0f;
  float below = params.crest * powerOfTwo(min(log_area, 30.0f));
  float root = 1.0f + below * below;
  return below * reciprocal(root * reciprocalSqrt(root) + 1.0f);
}

// What the ground rises by over a step up a way whose upper end drains this area.
KERNEL int riseOf(int direction, int area, int steepness, RiversParams params) {
  float log_area = logOfArea(area);
  float log_slope = params.log_steepness - params.concavity * log_area +
                    float(steepness - kWholeSteepness) * 0.015625f;
  float part = partOfRepose(log_area, params);
  // Bent to the hillslope's T: s T / (s^2.5 + T^2.5)^0.4.
  float over = 2.5f * (params.log_repose + logarithm(part) - log_slope);
  float bent = power(1.0f + powerOfTwo(clamp(over, -60.0f, 60.0f)), -0.4f);
  float run = (direction & 1) != 0 ? 1.41421356f : 1.0f;
  return max(int(params.repose * part * bent * run), params.descent);
}

// What children will add around a vertex, on average: a part of the rise to it. A level adds it to its
// heights, so that it shows the mean of what is finer, and its children leave it out again.
KERNEL int meanRelief(int rise) { return rise - (rise >> 1) - (rise >> 3); }

// As riseOf, at the parent's level.
KERNEL int parentRise(int river, RiversParams params) {
  RiversParams coarse = params;
  coarse.log_steepness -= 2.0f * params.concavity;
  coarse.repose *= 2.0f;
  coarse.crest *= 2.0f;
  coarse.descent = 0;
  return riseOf(0, max(riverArea(river), 1), knownSteepness(riverSteepness(river)), coarse);
}

// How far ground is hillslope whose shape the parent knows already, 0 to 1: where a sixty-fourth of a
// channel's area drains to it or less, wholly.
KERNEL float partOfHillslope(int area, RiversParams params) {
  return clamp((params.log_channel - logOfArea(area)) * 0.16666667f, 0.0f, 1.0f);
}

KERNELS_END

#endif
