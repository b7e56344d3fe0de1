// Distances from what a specification places in the world: points, lines and outlines. A shape's corners lie on a flat
// map around its middle. On a plane that is the plane. On a planet it is Lambert's azimuthal map, on which the distance
// from the middle is the straight one through space.
#ifndef THALWEG_KERNELS_PLACED
#define THALWEG_KERNELS_PLACED

#include "noise.glsl"

KERNELS_BEGIN

// Measures how far a place lies from an origin along a direction, in units of 2^shift / 256 cells.
struct Ruler {
  // The direction, in 1/2^kRulerBits.
  int x;
  int y;
  int shift;
  // Along the direction, in 1/256 of a cell.
  int64_t origin;
};
CONSTANT int kRulerBits = 14;
// A ruler's end, in units: a whole number that a float holds. What lies beyond counts as if it were there.
CONSTANT int kRulerEnd = 1 << 23;

// Holds a coordinate to 2^38 cells, so that no product overflows.
KERNEL int64_t heldCoordinate(int64_t coordinate) {
  int64_t most = int64_t(1) << 46;
  return coordinate > most ? most : (coordinate < -most ? -most : coordinate);
}

KERNEL float onRuler(int64_t x, int64_t y, Ruler ruler) {
  int64_t along = heldCoordinate(x) * int64_t(ruler.x) + heldCoordinate(y) * int64_t(ruler.y);
  int64_t units = floorShift(floorShift(along, kRulerBits) - ruler.origin, ruler.shift);
  int64_t most = int64_t(kRulerEnd);
  return float(int(units > most ? most : (units < -most ? -most : units)));
}

// A vector of space from a shape's middle on the map around it, east and south. longitude: the middle's cosine and sine;
// tangent: that of half its latitude.
KERNEL vec2 onMap(vec3 from, vec2 longitude, float tangent) {
  float square = tangent * tangent;
  float unit = reciprocal(1.0f + square);
  float outward = from.x * longitude.x + from.y * longitude.y;
  float east = from.y * longitude.x - from.x * longitude.y;
  float south = (outward * 2.0f * tangent - from.z * (1.0f - square)) * unit;
  float away = lengthOf(from.x * from.x + from.y * from.y + from.z * from.z);
  float flat_square = east * east + south * south;
  // The point opposite the middle has no direction, but is as far away as any.
  if (flat_square < 1e-6f) return vec2(away, 0.0f);
  float scale = away * reciprocalSqrt(flat_square);
  return vec2(east * scale, south * scale);
}

// The squared distance from a place to a shape's lines so far: negative where they go around it (an odd number of them lies
// to its west). At least this, so that it has a sign.
CONSTANT float kNearestSquare = 1e-20f;
KERNEL float nearestOfCorner(vec2 from, vec2 corner) {
  vec2 away = from - corner;
  return max(away.x * away.x + away.y * away.y, kNearestSquare);
}

// The same with the line between two corners.
KERNEL float nearestWithLine(float nearest, vec2 from, vec2 first, vec2 last) {
  vec2 along = last - first;
  vec2 away = from - first;
  float inverse = reciprocal(max(along.x * along.x + along.y * along.y, 1e-12f));
  float part = clamp((away.x * along.x + away.y * along.y) * inverse, 0.0f, 1.0f);
  vec2 least = vec2(away.x - part * along.x, away.y - part * along.y);
  float square = min(abs(nearest), max(least.x * least.x + least.y * least.y, kNearestSquare));
  bool rises = last.y > first.y;
  bool beside = (first.y <= from.y) != (last.y <= from.y);
  bool east = (along.x * away.y < away.x * along.y) == rises;
  bool crosses = beside && east;
  return (nearest < 0.0f) != crosses ? -square : square;
}

KERNELS_END

#endif
