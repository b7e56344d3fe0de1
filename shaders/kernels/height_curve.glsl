// The curve that a world's heights pass through when they are read (v1.HeightCurve). Its pieces
// stand in the level's program, after the base's.
#ifndef THALWEG_KERNELS_HEIGHT_CURVE
#define THALWEG_KERNELS_HEIGHT_CURVE

#include "base.glsl"

KERNELS_BEGIN

// What a height becomes, of what the pieces below made of it: of two heights the higher one never
// becomes the lower. A piece begins at a metres, where the curve has b metres, and rises by c for 1.
KERNEL int shownOnPiece(int ground, int shown, BaseInstruction piece) {
  int first = heightFromMetres(piece.a);
  int least = heightFromMetres(piece.b);
  if (ground < first) return min(shown, least);
  int64_t above = int64_t(ground) - int64_t(first);
  return least + int((above * int64_t(int(thirdOf(piece) * 65536.0f))) >> 16);
}

// What a height becomes that is below the first piece.
KERNEL int shownBelow(int ground, BaseInstruction first) {
  return ground + (heightFromMetres(first.b) - heightFromMetres(first.a));
}

KERNELS_END

#endif
