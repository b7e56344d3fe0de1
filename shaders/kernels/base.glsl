// The noise graph of level 0, as a program for a small stack machine. A world's specification is
// compiled once; every vertex runs the program.
#ifndef THALWEG_KERNELS_BASE
#define THALWEG_KERNELS_BASE

#include "placed.glsl"
#include "placed.glsl"
#include "scatter.glsl"

KERNELS_BEGIN

CONSTANT int kBaseStackDepth = 12;
CONSTANT int kBasePlaceDepth = 4;
// Values that are kept, so that a node that the graph uses twice is computed once.
CONSTANT int kBaseKept = 4;

// Operations. `top` is the newest value, `below` the value under it.
CONSTANT int kOpPush = 0;      // push a
CONSTANT int kOpOctave = 1;    // top += a n
CONSTANT int kOpBillow = 2;    // top += a (2 |n| - 1)
CONSTANT int kOpRidged = 3;    // s = w (1 - |n|)^2; top += a s; w = clamp(b s, 0, 1)
CONSTANT int kOpCrest = 4;     // w = 1, before the first ridged octave
CONSTANT int kOpAdd = 5;       // below += top; pop
CONSTANT int kOpMultiply = 6;  // below *= top; pop
CONSTANT int kOpMin = 7;       // below = min(below, top); pop
CONSTANT int kOpMax = 8;       // below = max(below, top); pop
CONSTANT int kOpRuler = 9;     // a coordinate of the place from a shape's middle: x, y or, in space, z
CONSTANT int kOpBlend = 10;    // pops mask, high, low; pushes low + (high - low) smooth(mask)
CONSTANT int kOpCurve = 11;    // x = top; top = a: a curve begins
CONSTANT int kOpRamp = 12;     // top += b clamp((x - a) c, 0, 1)
CONSTANT int kOpTerrace = 13;  // top += b smooth(clamp((x - a) c, 0, 1))
CONSTANT int kOpWarp = 14;     // pops south, east (on a planet z, y, x) in cells, and displaces the place
CONSTANT int kOpUnwarp = 15;   // back to the place before the warp
CONSTANT int kOpPiece = 16;    // a piece of the height curve (height_curve.glsl); no part of the base
CONSTANT int kOpKeep = 17;     // keeps top under the instruction's number
CONSTANT int kOpRecall = 18;   // pushes the value kept under the instruction's number
// Only on a planet.
CONSTANT int kOpPlates = 19;    // top += a edge
CONSTANT int kOpCraters = 20;   // top += a crater
CONSTANT int kOpLatitude = 21;  // push the sine of the latitude
CONSTANT int kOpMap = 22;       // from x, y, z to x, y on the map around the middle, whose turns are a, b and c
// Placed shapes, after the rulers.
CONSTANT int kOpCorner = 23;   // begins a shape at the corner (a, b)
CONSTANT int kOpLine = 24;     // adds the line to the corner (a, b)
CONSTANT int kOpNearest = 25;  // push a times the distance to the shape; b is 1: less than 0 outside it
CONSTANT int kOpAhead = 26;    // push a x + b y
CONSTANT int kOperations = 27;

// 16 bytes, because every vertex reads the whole program. The operation and an octave's lattice share
// `code`; an octave has its stream in `c`.
struct BaseInstruction {
  int code;
  float a;
  float b;
  uint c;
};

CONSTANT int kTurnOffset = 32;  // turns are -31 to 31

KERNEL BaseInstruction baseInstruction(int op, float a, float b, float c) {
  BaseInstruction step;
  step.code = op;
  step.a = a;
  step.b = b;
  step.c = floatBitsToUint(c);
  return step;
}
KERNEL BaseInstruction octaveInstruction(int op, float a, float b, Lattice lattice) {
  BaseInstruction step;
  step.code = op | ((lattice.turn_x + kTurnOffset) << 5) | ((lattice.turn_y + kTurnOffset) << 11) |
              (lattice.shift << 17);
  step.a = a;
  step.b = b;
  step.c = lattice.stream;
  return step;
}
KERNEL BaseInstruction keptInstruction(int op, int number) {
  BaseInstruction step = baseInstruction(op, 0.0f, 0.0f, 0.0f);
  step.code |= number << 5;
  return step;
}
// axis: 0 for x, 1 for y, 2 for z. The origin has 51 bits.
KERNEL BaseInstruction rulerInstruction(int axis, Ruler ruler) {
  BaseInstruction step;
  step.code = kOpRuler | (axis << 5) | (ruler.shift << 7) | (int(ruler.origin >> 32) << 13);
  step.a = float(ruler.x);
  step.b = float(ruler.y);
  step.c = uint(ruler.origin & int64_t(0xffffffffu));
  return step;
}
KERNEL int operationOf(BaseInstruction step) { return step.code & 31; }
KERNEL int keptBy(BaseInstruction step) { return (step.code >> 5) & (kBaseKept - 1); }
KERNEL float thirdOf(BaseInstruction step) { return uintBitsToFloat(step.c); }
KERNEL Lattice latticeOf(BaseInstruction step) {
  Lattice lattice;
  lattice.turn_x = ((step.code >> 5) & 63) - kTurnOffset;
  lattice.turn_y = ((step.code >> 11) & 63) - kTurnOffset;
  lattice.shift = (step.code >> 17) & 63;
  lattice.stream = step.c;
  return lattice;
}

KERNEL int axisOf(BaseInstruction step) { return (step.code >> 5) & 3; }
KERNEL Ruler rulerOf(BaseInstruction step) {
  Ruler ruler;
  ruler.x = int(step.a);
  ruler.y = int(step.b);
  ruler.shift = (step.code >> 7) & 63;
  ruler.origin = int64_t(step.code >> 13) * (int64_t(1) << 32) + int64_t(uint64_t(step.c));
  return ruler;
}

KERNEL bool isOctave(int op) { return op >= kOpOctave && op <= kOpRidged; }
KERNEL bool isScattered(int op) { return op == kOpPlates || op == kOpCraters; }
// Every other operation takes little time.
KERNEL bool isNoise(int op) { return isOctave(op) || isScattered(op); }

// By how many values an operation makes the stack longer.
KERNEL int valuesLeftBy(int op, bool on_sphere) {
  if (op == kOpPush || op == kOpRecall || op == kOpLatitude || op == kOpNearest || op == kOpAhead) return 1;
  if (op >= kOpAdd && op <= kOpMax) return -1;
  if (op == kOpBlend) return -2;
  if (op == kOpWarp) return on_sphere ? -3 : -2;
  return 0;
}

// 3t^2 - 2t^3 of t clamped to 0 .. 1.
KERNEL float smoothUnit(float t) {
  float u = clamp(t, 0.0f, 1.0f);
  return u * u * (3.0f - 2.0f * u);
}

// Cells to 1/256 of a cell, at most 2^22 cells either way.
KERNEL int64_t displacement(float cells) {
  return int64_t(int(floor(clamp(cells, -4194304.0f, 4194304.0f) * 256.0f)));
}

// Metres to height units, at most 16,000 m either way, rounded down.
KERNEL int heightFromMetres(float metres) {
  return int(floor(clamp(metres, -16000.0f, 16000.0f) * 65536.0f));
}

KERNELS_END

#endif
