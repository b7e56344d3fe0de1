// A planet's face, continued beyond its sides over the faces there. Sides and directions are numbered like quarter turns: east, south,
// west, north. (proto/geometry/cube_sphere.h has the same for hosts.)
#ifndef THALWEG_KERNELS_CONTINUED
#define THALWEG_KERNELS_CONTINUED

#include "sphere.glsl"

KERNELS_BEGIN

// A vertex of a face's lattice, and the quarter turns from vectors of the face where it was looked for to vectors of its own.
struct FaceVertex {
  int face;
  int turns;
  int64_t x;
  int64_t y;
};

KERNEL ivec3 faceDirection(int face, int quarter) {
  ivec3 axis = (quarter & 1) == 0 ? faceEast(face) : faceSouth(face);
  return (quarter & 2) == 0 ? axis : -axis;
}
KERNEL int faceAround(ivec3 middle) {
  int axis = middle.x != 0 ? 0 : (middle.y != 0 ? 1 : 2);
  return middle.x + middle.y + middle.z > 0 ? axis : axis + 3;
}
KERNEL int alongAxis(ivec3 a, ivec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The face beyond a side.
KERNEL int faceBeyond(int face, int side) { return faceAround(faceDirection(face, side)); }
// The quarter turns to the axes of the face beyond a side. A vector that leaves a face points away from its middle on the next one.
KERNEL int turnsBeyond(int face, int side) {
  int other = faceBeyond(face, side);
  ivec3 away = -faceMiddle(face);
  int east = alongAxis(away, faceEast(other));
  int south = alongAxis(away, faceSouth(other));
  int quarter = east != 0 ? 1 - east : 2 - south;
  return (quarter - side) & 3;
}

KERNEL FaceVertex turnedVertex(FaceVertex at, int turns) {
  FaceVertex turned = at;
  if (turns == 1) {
    turned.x = -at.y;
    turned.y = at.x;
  } else if (turns == 2) {
    turned.x = -at.x;
    turned.y = -at.y;
  } else if (turns == 3) {
    turned.x = at.y;
    turned.y = -at.x;
  }
  return turned;
}

// A vertex in the lattice of the face beyond a side. cells: those on a side of a face.
KERNEL FaceVertex acrossSide(FaceVertex at, int side, int64_t cells) {
  int turns = turnsBeyond(at.face, side);
  int64_t moved = (side & 2) == 0 ? -2 * cells : 2 * cells;
  // From the faces' middles, in half cells, so that a quarter turn is exact.
  FaceVertex from = at;
  from.x = 2 * at.x - cells + ((side & 1) == 0 ? moved : 0);
  from.y = 2 * at.y - cells + ((side & 1) == 1 ? moved : 0);
  FaceVertex over = turnedVertex(from, turns);
  over.face = faceBeyond(at.face, side);
  over.turns = (at.turns + turns) & 3;
  over.x = (over.x + cells) >> 1;
  over.y = (over.y + cells) >> 1;
  return over;
}
// The inverse: a vertex of the face beyond a side in the lattice of the face itself. Its turns stay.
KERNEL FaceVertex backAcross(FaceVertex at, int face, int side, int64_t cells) {
  FaceVertex from = at;
  from.x = 2 * at.x - cells;
  from.y = 2 * at.y - cells;
  FaceVertex back = turnedVertex(from, (4 - turnsBeyond(face, side)) & 3);
  int64_t moved = (side & 2) == 0 ? 2 * cells : -2 * cells;
  back.face = face;
  back.x = (back.x + cells + ((side & 1) == 0 ? moved : 0)) >> 1;
  back.y = (back.y + cells + ((side & 1) == 1 ? moved : 0)) >> 1;
  return back;
}

// How far a coordinate lies beyond the ends of a side: less than 0 before the first one.
KERNEL int64_t beyondEnds(int64_t at, int64_t cells) { return at < 0 ? at : (at > cells ? at - cells : int64_t(0)); }

// Whether a vertex lies beyond two sides, where there is no face, since only three meet at a corner.
KERNEL bool isBeyondCorner(FaceVertex at, int64_t cells) {
  return beyondEnds(at.x, cells) != 0 && beyondEnds(at.y, cells) != 0;
}

// The vertex on the lowest of its faces, which owns it. One beyond a corner stands for that on the edge of the two other faces which is as
// far from the corner as the larger of its two distances.
KERNEL FaceVertex continuedOn(FaceVertex at, int64_t cells) {
  if (at.x > 0 && at.x < cells && at.y > 0 && at.y < cells) return at;
  FaceVertex on = at;
  int64_t east = beyondEnds(at.x, cells);
  int64_t south = beyondEnds(at.y, cells);
  if (east != 0 && south != 0) {
    int64_t over_column = east < 0 ? -east : east;
    int64_t over_row = south < 0 ? -south : south;
    int64_t away = over_column > over_row ? over_column : over_row;
    on.x = east < 0 ? -away : cells + away;
    on.y = south < 0 ? int64_t(0) : cells;
    south = 0;
  }
  if (east != 0) on = acrossSide(on, east > 0 ? 0 : 2, cells);
  if (south != 0) on = acrossSide(on, south > 0 ? 1 : 3, cells);
  FaceVertex lowest = on;
  for (int side = 0; side < 4; ++side) {
    int64_t along = (side & 1) == 0 ? on.x : on.y;
    bool reaches = along == ((side & 2) == 0 ? cells : int64_t(0));
    if (reaches && faceBeyond(on.face, side) < lowest.face) lowest = acrossSide(on, side, cells);
  }
  return lowest;
}

KERNELS_END

#endif
