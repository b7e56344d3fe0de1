// The noise graph of level 0, as a program for a small stack machine. The world's specification is
// compiled to it once; every vertex runs it.
#ifndef THALWEG_KERNELS_BASE
#define THALWEG_KERNELS_BASE

#include "noise.glsl"

KERNELS_BEGIN

CONSTANT int kBaseStackDepth = 12;
CONSTANT int kBasePlaceDepth = 4;

// Operations; `top` is the newest value, `below` the one under it.
CONSTANT int kOpPush = 0;      // push a
CONSTANT int kOpOctave = 1;    // top += a n
CONSTANT int kOpBillow = 2;    // top += a (2 |n| - 1)
CONSTANT int kOpRidged = 3;    // s = w (1 - |n|)^2; top += a s; w = clamp(b s, 0, 1)
CONSTANT int kOpCrest = 4;     // w = 1, before the first ridged octave
CONSTANT int kOpAdd = 5;       // below += top; pop
CONSTANT int kOpMultiply = 6;  // below *= top; pop
CONSTANT int kOpMin = 7;       // below = min(below, top); pop
CONSTANT int kOpMax = 8;       // below = max(below, top); pop
CONSTANT int kOpScale = 9;     // top = top a + b
CONSTANT int kOpBlend = 10;    // pops mask, high, low; pushes low + (high - low) smooth(mask)
CONSTANT int kOpCurve = 11;    // x = top; top = a: a curve begins
CONSTANT int kOpRamp = 12;     // top += b clamp((x - a) c, 0, 1)
CONSTANT int kOpTerrace = 13;  // top += b smooth(clamp((x - a) c, 0, 1))
CONSTANT int kOpWarp = 14;     // pops south, east in cells; what follows is taken there
CONSTANT int kOpUnwarp = 15;   // back to where it was before the warp
CONSTANT int kOpPiece = 16;    // a piece of the height curve (height_curve.glsl); no part of the base

struct BaseInstruction {
  int op;
  float a;
  float b;
  float c;
  Lattice lattice;
};

// 3t^2 - 2t^3 of t clamped to 0 .. 1.
KERNEL float smoothUnit(float t) {
  float u = clamp(t, 0.0f, 1.0f);
  return u * u * (3.0f - 2.0f * u);
}

// A displacement in cells as 1/256 cells, at most 2^22 cells.
KERNEL int64_t displacement(float cells) {
  return int64_t(int(floor(clamp(cells, -4194304.0f, 4194304.0f) * 256.0f)));
}

// Metres to height units, rounded down.
KERNEL int heightFromMetres(float metres) {
  return int(floor(clamp(metres, -16000.0f, 16000.0f) * 65536.0f));
}

KERNELS_END

#endif
