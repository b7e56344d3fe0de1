// The curve that maps a world's heights when they are read (v1.HeightCurve). Its pieces follow the
// base in the level's program.
#ifndef THALWEG_KERNELS_HEIGHT_CURVE
#define THALWEG_KERNELS_HEIGHT_CURVE

#include "base.glsl"

KERNELS_BEGIN

// The shown height of this ground, from what the pieces below gave (`shown`). Higher ground is never
// shown lower. A piece begins at a metres, where the curve has b metres, and rises by c for 1.
KERNEL int shownOnPiece(int ground, int shown, BaseInstruction piece) {
  int first = heightFromMetres(piece.a);
  int least = heightFromMetres(piece.b);
  if (ground < first) return min(shown, least);
  int64_t above = int64_t(ground) - int64_t(first);
  int rise = int((above * int64_t(int(thirdOf(piece) * 65536.0f))) >> 16);
  // Unsigned, since a steep piece's rise may leave the range where a later piece counts instead.
  return int(uint(least) + uint(rise));
}

// The shown height of ground below the first piece.
KERNEL int shownBelow(int ground, BaseInstruction first) {
  return ground + (heightFromMetres(first.b) - heightFromMetres(first.a));
}

KERNELS_END

#endif
