// Relief that rivers leave in the long run, built from the rivers up. Each vertex has one receiver.
// Its height is that of the vertex some steps downstream, plus what the way rises from there in the
// steady state of the stream power law, slope = k A^-theta (Hack 1957; Whipple & Tucker 1999), limited
// by the angle of repose. A level keeps its parent's rivers: where more than a few cells drain, the
// child has the parent's way too, at vertices that are displaced at random, so that nothing follows
// the grid. All other ground finds its way to these.
#ifndef THALWEG_KERNELS_RIVERS
#define THALWEG_KERNELS_RIVERS

#include "noise.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct RiversParams {
  // The noise that displaces the parent's vertices: its lattice, and its amplitude in 1/256 of the
  // parent's cell. The lattice's stream is the stage's first.
  Lattice lattice;
  float displacement;
  // The layers, as bits, that have a plane in this world.
  int planes;
  int parent_side;
  int parent_size;
  int sea_level;
  // The min drained area, in the parent's cells, of a parent's way that is kept.
  int keep;
  // A random part of every fall, when the way down is chosen.
  float wander;
  // Min fall of a way over a cell, in height units.
  int descent;
  // log2 of the slope of a channel that drains one cell, as a part of the angle of repose.
  float log_steepness;
  float concavity;  // theta
  // The rise of the angle of repose over a cell, in height units.
  float repose;
  // A cell, as a part of the length over which crests are rounded; 0: crests are sharp.
  float crest;
  // log2 of the min area, in cells, of a channel; and the part of its difference to the mean around
  // it by which a hillslope's vertex creeps.
  float log_channel;
  float creep;
  // Half the width of a valley's floor, squared, as a part of the area that drains to it; and how
  // far ice has made the valley a trough, 0 to 1.
  float floor_width;
  float trough;
};

// Where ground is steeper than the angle of repose by this factor, a way turns down there, unless at
// least 2^6 cells drain through it.
CONSTANT float kCapture = 1.1f;
CONSTANT int kCapturedBits = 6;

// The slope of a valley's floor towards its river, as a part of the angle of repose.
CONSTANT float kMinFloor = 0.03f;
// The angle of repose of loose ground on a floor, as a part of the rock's.
CONSTANT float kMinRepose = 0.2f;
// Rivers up to this many steps away make floors. Wider floors come from the parent.
CONSTANT int kFloorSteps = 4;
// Floors whose half width is less than 1/16 of a cell are ignored; this is the square of that.
CONSTANT float kMinFloorSquare = 0.00390625f;
// Less than every square of a distance to a river, so that none is divided by 0.
CONSTANT float kLeastSquare = 0.00000095367432f;
// Floors of inherited codes are wide: a step is this part of half their width.
CONSTANT float kFloorStep = 0.125f;
// Only rivers that drain 64 times the area at which channels begin have floors.
CONSTANT float kFloorOctaves = 6.0f;

// A way: a direction of `neighbour` or kWayEnds (water ends here); kWayKept if the parent has it too.
CONSTANT int kWayEnds = 8;
CONSTANT int kWayKept = 16;
// Larger than every way: no way is known yet.
CONSTANT int kWayUnknown = 1 << 20;

KERNEL int wayDirection(int way) { return way & 15; }
// Turns a way by quarter turns.
KERNEL int turnedWay(int way, int turns) {
  int direction = wayDirection(way);
  return direction == kWayEnds ? way : (way & ~15) | ((direction + 2 * turns) & 7);
}
// A way that the parent has too, with its floorCode in the valley of a larger river.
KERNEL int keptWay(int direction, int floor_code) { return (floor_code << 8) | kWayKept | direction; }
KERNEL int wayFloor(int way) { return way >> 8; }

// A drained area, in cells, in 14 bits: 9 significant bits, rounded, and a shift. Larger areas have
// larger codes.
CONSTANT int kMaxArea = 16383;
KERNEL int areaCode(uint64_t cells) {
  uint high = uint(cells >> 32);
  int top = high != 0u ? 32 + topBit(high) : topBit(uint(cells));
  int shift = max(top - 8, 0);
  uint64_t rounded = cells + ((uint64_t(1u) << shift) >> 1);
  return (shift << 8) + int(uint(rounded >> shift));
}
KERNEL int areaShift(int code) { return max((code >> 8) - 1, 0); }
KERNEL uint64_t areaOf(int code) {
  int shift = areaShift(code);
  return uint64_t(uint(code - (shift << 8))) << shift;
}
// log2 of an area, in cells, of at least one cell.
KERNEL float logOfArea(int code) {
  int shift = areaShift(code);
  return logarithm(float(code - (shift << 8))) + float(shift);
}
// An area in cells, at most 2^29.
KERNEL float cellsOf(int code) {
  int shift = min(areaShift(code), 20);
  return float((code - (areaShift(code) << 8)) << shift);
}

// A factor on the steepness, from 1/256 to 256, in 1/16 of an octave; code 0 means 1.
CONSTANT int kWholeSteepness = 128;
CONSTANT float kOctavesPerSteepness = 0.0625f;
KERNEL int steepnessCode(float factor) {
  float octaves = logarithm(clamp(factor, 0.00390625f, 256.0f));
  return clamp(kWholeSteepness + int(floor(16.0f * octaves + 0.5f)), 1, 255);
}
KERNEL int knownSteepness(int code) { return code == 0 ? kWholeSteepness : code; }

// The distance of a place from the river of its valley, in halves of the width of the valley's floor, in
// 1/32. 63 is the river itself; 0 is a distance of 63/32 or more, or no valley.
CONSTANT int kFloorHere = 63;
KERNEL int floorCode(float distance) { return kFloorHere - int(min(32.0f * distance, 63.0f)); }
KERNEL float floorDistance(int code) { return float(kFloorHere - code) * 0.03125f; }

// The square of half the width of the floor of a river's valley, in cells.
KERNEL float floorOf(int area, RiversParams params) {
  return params.floor_width * max(cellsOf(area) - powerOfTwo(params.log_channel + kFloorOctaves), 0.0f);
}

// What children inherit: the way's direction, the area that drains through it, its floorCode, and the
// steepness of channels.
KERNEL int packedRiver(int direction, int area, int floor_code, int steepness) {
  return (steepness << 24) | (floor_code << 18) | (area << 4) | (direction + 1);
}
KERNEL bool isRiverKnown(int river) { return (river & 15) != 0; }
KERNEL int riverDirection(int river) { return (river & 15) - 1; }
KERNEL int riverArea(int river) { return (river >> 4) & kMaxArea; }
KERNEL int riverFloor(int river) { return (river >> 18) & kFloorHere; }
KERNEL int riverSteepness(int river) { return (river >> 24) & 255; }
KERNEL int turnedRiver(int river, int turns) {
  int direction = riverDirection(river);
  bool goes = direction >= 0 && direction < kWayEnds;
  return goes ? (river & ~15) | (((direction + 2 * turns) & 7) + 1) : river;
}

// The direction of a step to one of eight neighbours.
KERNEL int directionOf(int dx, int dy) {
  if (dy == 0) return dx > 0 ? 0 : 4;
  if (dy > 0) return dx > 0 ? 1 : (dx == 0 ? 2 : 3);
  return dx < 0 ? 5 : (dx == 0 ? 6 : 7);
}

// Bits of a count of cells, under the direction of a way.
CONSTANT int kCountBits = 24;

// How often a cell counts at the vertex where its way ends, after `steps` of at least one step. Of 2^n - 1 steps, n passes
// count a step, two steps, four ...; a pass counts the cells above again at a vertex that the pass before reached already.
// (Elsewhere on its way a cell counts once.)
KERNEL uint timesCounted(int steps, int passes) {
  int times = 0;
  for (int pass = 0; pass < passes; ++pass) times += max(min(steps, (2 << pass) - steps), 0);
  return uint(times);
}

// Streams of a stage's random numbers, counted from the stream of the displacement to the east.
CONSTANT uint kStreamSouth = 1u;
CONSTANT uint kStreamWay = 2u;
CONSTANT uint kStreamStep = 3u;
CONSTANT uint kStreamFall = 4u;

// How far ground is displaced along an axis, in 1/256 of the parent's cell: less than three quarters, so
// that a parent's vertex moves by at most one cell of the child.
KERNEL float displacedBy(float noise, RiversParams params) { return noise * params.displacement; }
KERNEL int heldDisplacement(float moved) { return int(floor(clamp(moved, -180.0f, 180.0f))); }

// A displacement in whole cells of the child.
KERNEL int childCells(int displaced) { return (displaced + 64) >> 7; }

// The position along an axis of a straight way of length `run`, after `taken` of `steps` steps, rounded at
// random.
KERNEL int alongWay(int run, int taken, int steps, uint chance) {
  int parts = 16 * steps;
  return (run * taken * 16 + int(chance & 15u) * steps + 8 * parts) / parts - 8;
}

// The value between b and c by a cubic (Catmull & Rom 1974); t is 0 at b and 1 at c.
KERNEL float cubicBetween(float a, float b, float c, float d, float t) {
  float bend = 3.0f * (b - c) + d - a;
  float curve = 2.0f * a - 5.0f * b + 4.0f * c - d;
  return b + 0.5f * t * (c - a + t * (curve + t * bend));
}

// The weighted fall in a direction: by the length of the step, less a random part. A diagonal counts a little
// less than its length asks for (0.71): among random falls a diagonal is the steepest too often, as spectra
// show.
CONSTANT float kDiagonalFall = 0.66f;
KERNEL float weighedFall(float fall, float weight, uint chance, int direction, RiversParams params) {
  float part = float((chance >> uint(4 * direction)) & 15u) * 0.0625f;
  return fall * weight * (1.0f - params.wander * part);
}

// The slope of a hillslope below its crest, as a part of the angle of repose: the long-run shape of
// ground that creeps more where it is steeper (Roering et al. 2007). The distance to the crest is
// the area that drains to a cell over the cell's width.
KERNEL float partOfRepose(float log_area, RiversParams params) {
  if (params.crest <= 0.0f) return 1.0f;
  float below = params.crest * powerOfTwo(min(log_area, 30.0f));
  float root = 1.0f + below * below;
  return below * reciprocal(root * reciprocalSqrt(root) + 1.0f);
}

// The integral of a trough's walls from the river to a distance. The walls are as wide as half the floor;
// their strength is 0 at their foot and at their rim.
KERNEL float wallUpTo(float distance) {
  float over = clamp(distance - 1.0f, 0.0f, 1.0f);
  return over * over * (2.0f - 1.3333333f * over);
}

// The integral of a hillslope's slope, as a part of the angle of repose, from the river to a distance:
// nearly flat on the valley's floor, 1 beyond; in a trough, a bowl under walls.
KERNEL float slopeUpTo(float distance, RiversParams params) {
  float beyond = max(distance - 1.0f, 0.0f);
  float edge = clamp(distance - 0.6f, 0.0f, 0.4f);
  float flat_floor = 1.25f * edge * edge + beyond;
  float inside = min(distance, 1.0f);
  float bowl = 0.5f * inside * inside + beyond + 0.3f * wallUpTo(distance);
  float sum = flat_floor + params.trough * (bowl - flat_floor);
  return kMinFloor * distance + (1.0f - kMinFloor) * sum;
}

// The mean slope of a hillslope over a step around a distance from its river, as a part of the angle of
// repose. Distance and step are in halves of the floor's width.
KERNEL float partBesideFloor(float distance, float step, RiversParams params) {
  float from = max(distance - 0.5f * step, 0.0f);
  float to = distance + 0.5f * step;
  return (slopeUpTo(to, params) - slopeUpTo(from, params)) * reciprocal(to - from);
}

// The same for a floorCode; 0: no floor is near.
KERNEL float partByFloor(int code, RiversParams params) {
  return code == 0 ? 1.0f : partBesideFloor(floorDistance(code), kFloorStep, params);
}

// The rise of the ground over a cell up a way, in height units. beside_floor: see partBesideFloor.
KERNEL float riseOfCell(int river, float beside_floor, RiversParams params) {
  float log_area = logOfArea(riverArea(river));
  float log_slope = params.log_steepness - params.concavity * log_area +
                    float(knownSteepness(riverSteepness(river)) - kWholeSteepness) * kOctavesPerSteepness;
  float part = partOfRepose(log_area, params) * beside_floor;
  // Limited by the hillslope's slope T: s T / (s^2.5 + T^2.5)^0.4.
  float over = 2.5f * (logarithm(part) - log_slope);
  return params.repose * part * power(1.0f + powerOfTwo(clamp(over, -60.0f, 60.0f)), -0.4f);
}

// The angle of repose of the ground of a vertex that a river's floor may cover, over a cell: loose ground that fills a
// valley is never as steep as rock.
KERNEL float steepestGround(int river, RiversParams params) {
  float part = riverFloor(river) == 0 ? 1.0f : floorDistance(riverFloor(river));
  return params.repose * clamp(1.3f * part, kMinRepose, 1.0f);
}

// How far a way falls at least over a step that slides, from what is added to both ends for the mean relief: children
// subtract it, and beds must fall after that too.
KERNEL int leastFall(uint added, uint added_below, RiversParams params) {
  return min(params.descent + max(int(added) - int(added_below), 0), kLargestChange);
}

// The square of the ground's fall over a triangle that it makes with two neighbours, one along an axis and one on the
// diagonal beside it; 0 if the steepest fall does not lead through the triangle. Slopes would come to lie half-way between
// the eight directions if only the falls to neighbours were limited. axis, diagonal: how high the ground is above the
// neighbours; ratio: of the length of a step along that axis to that of a step along the other one.
KERNEL float fallOver(float axis, float diagonal, float ratio) {
  float beside = (diagonal - axis) * ratio;
  return min(beside, axis - beside) >= 0.0f ? axis * axis + beside * beside : 0.0f;
}

// Ground after a slide. excess: how far it is too high above a neighbour; sum: its weighted heights above all; creep: see
// RiversParams, for this vertex; lowest: what its way lets it come down to.
KERNEL int settledGround(int ground, float excess, float sum, float creep, int lowest) {
  float crept = creep * sum * 0.083333333f;
  return heldHeight(max(ground - int(max(0.5f * excess, crept)), lowest));
}

// The rise over a step of a length in cells: at least the min descent of a way.
KERNEL int riseOverStep(float rise, float step, RiversParams params) {
  return max(int(rise * step), params.descent);
}

// The parameters that count cells, adapted to cells of another (squared) area.
KERNEL RiversParams withCells(RiversParams params, float area_squared) {
  float octaves = 0.5f * logarithm(area_squared);
  RiversParams local = params;
  local.log_steepness -= params.concavity * octaves;
  local.log_channel -= octaves;
  local.crest *= powerOfTwo(0.5f * octaves);
  local.floor_width *= powerOfTwo(octaves);
  return local;
}

// How far ground is hillslope whose shape the parent already has, 0 to 1: 1 where at most 1/64 of a
// channel's area drains to it.
KERNEL float partOfHillslope(int area, RiversParams params) {
  return clamp((params.log_channel - logOfArea(area)) * 0.16666667f, 0.0f, 1.0f);
}

// What children will add around a vertex on average: a part of the ground's rise there, but nothing on
// hillslopes that they inherit. A level adds it to its heights, so that they show the mean of the finer
// levels. Its children take it out again.
KERNEL int meanRelief(int river, RiversParams params) {
  float rise = riseOfCell(river, partByFloor(riverFloor(river), params), params);
  return int(0.375f * rise * (1.0f - partOfHillslope(riverArea(river), params)));
}

// The same, with the parent's numbers.
KERNEL int parentRelief(int river, RiversParams params) {
  RiversParams coarse = params;
  coarse.log_steepness -= 2.0f * params.concavity;
  coarse.repose *= 2.0f;
  coarse.crest *= 2.0f;
  coarse.log_channel -= 2.0f;
  return meanRelief(river, coarse);
}

KERNELS_END

#endif
