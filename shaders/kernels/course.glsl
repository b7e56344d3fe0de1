// Rivers on ground that is finer than the level that found them. That level's ways become curves, and every finer level
// has the same curves: it keeps the ways of the vertices around it, not a picture of the river.
#ifndef THALWEG_KERNELS_COURSE
#define THALWEG_KERNELS_COURSE

#include "continued.glsl"
#include "ground.glsl"
#include "rivers.glsl"

KERNELS_BEGIN

struct CourseParams {
  int planes;  // the layers, as bits, that have a plane in this world
  int parent_side;
  int parent_size;
  // How many levels finer it is than the last level of rivers, whose vertices are the sources here.
  int depth;
  // Sources in a row of those that a block keeps, and that its parent has kept; 0: the parent is that level.
  int sources;
  int parent_sources;
  // How the first level of ground displaces it: see GroundParams.
  uint stream;
  int turn;
  int displacement;
  // log2 of the area of a source's cell, in square kilometres.
  float log_area;
  // The min area, in the source's cells, of a way that is a river: areaCode.
  int from_area;
  // Width and depth of a river that drains 1 km2: in cells, and in height units.
  float width;
  float bed;
  // The largest flow beside rivers.
  int bank_flow;
};

// A river's width is held to this many of the source's cells.
CONSTANT float kMaxWidth = 0.9f;

// Vertices of a way from which its source's curve is made.
CONSTANT int kCourseVertices = 7;
// Rivers within this many sources of a place may shape its ground. A curve's points are means of those vertices: at most
// 3.5 sources from the first one, and displaced by up to 0.7: 4.2. It shapes the ground up to half its width and 1.3 times
// its width beside it, or 3.95 cells, which are at most half the source's: 6.18.
CONSTANT int kCourseSearch = 7;
// On a planet 3.5 steps and the displacement are 5.6 cells of the mean length beside a corner, where cells are longest, and 1.98 more are
// shaped. Around a corner a source may lie so far on two edges with 120 degrees between them, along which cells are 0.77 long: 11.4.
CONSTANT int kCourseSearchOnSphere = 12;
KERNEL int courseSearch(bool on_sphere) { return on_sphere ? kCourseSearchOnSphere : kCourseSearch; }
// Sources that a window keeps to each side of its own: whether a curve is a river's head depends on what drains to its
// first source. (If one of its vertices is farther out, so is the curve: it is within 4.2 sources of each of them.)
KERNEL int sourceMargin(bool on_sphere) { return courseSearch(on_sphere) + 1; }

// Vertices in a row of a tile that lists the rivers near it, and how many it can list. With more, vertices look for them.
CONSTANT int kCourseTileBits = 3;
CONSTANT int kCourseTileRivers = 24;

// The tiles in a row that a window of this side touches.
KERNEL int courseTiles(int side) { return (side + 14) >> kCourseTileBits; }

// A tile's entry: a source, and how far its river shapes the ground, in steps of 1/8 of the source's cell.
CONSTANT int kListedBits = 20;
KERNEL int listed(int source, float reach) { return ((int(reach * 0.03125f) + 1) << kListedBits) | source; }
KERNEL int listedSource(int entry) { return entry & ((1 << kListedBits) - 1); }
KERNEL float listedReach(int entry) { return float(entry >> kListedBits) * 32.0f; }

KERNEL bool isRiver(int way, CourseParams params) { return isRiverKnown(way) && riverArea(way) >= params.from_area; }

// A river's width in cells. Width and depth grow with powers of the area that drains to it (Leopold & Maddock 1953).
KERNEL float courseWidth(float log_km2, CourseParams params) {
  float most = kMaxWidth * uintBitsToFloat(uint(127 + params.depth) << 23);
  return min(params.width * powerOfTwo(0.45f * log_km2), most);
}

// Ground within this distance of a river's middle, in cells, is its bed, also if it is narrower: so the vertices along it
// touch.
CONSTANT float kBedCells = 0.75f;
KERNEL float bedReach(float width) { return max(0.5f * width, kBedCells); }

// How far beside its bed a river shapes the ground, in cells: its valley's floor, and at least three cells, for a narrower
// channel would be beads on a diagonal.
KERNEL float valleyReach(float width) { return max(1.3f * width, 3.2f); }

// The ground near a river. away, beyond: the distances from its middle and from its bed, in cells; bed: its height. The bed
// is never lowered, only its banks are raised: so it falls along the river, whatever its depth.
KERNEL int groundByRiver(int ground, int bed, float away, float beyond, float log_km2, CourseParams params) {
  float width = courseWidth(log_km2, params);
  // The channel is level within kBedCells of its middle. One that spans less than a cell and a half has no banks.
  float across = 2.0f * max(away - kBedCells, 0.0f) * reciprocal(max(width, 0.01f));
  float depth = params.bed * powerOfTwo(0.33f * log_km2) * smoothFrom(1.5f, 0.6666667f, width);
  int wanted = bed + int(depth * smoothFrom(0.65f, 1.8181818f, across));
  float part = beyond * reciprocal(valleyReach(width));
  float near = max(1.0f - part * part, 0.0f);
  return beyond > 0.0f ? ground + int(floor(near * near * float(heldDifference(wanted, ground)))) : wanted;
}

// A river's curve, a quadratic one (Bezier) between the middles of its two steps, in 1/256 of the source's cell from its
// first source, on a planet in space; the heights at its ends, and the areas there as codes. No river: both areas are 0.
struct Course {
  bool in_space;
  ivec3 from;
  ivec3 by;
  ivec3 to;
  int height_from;
  int height_to;
  int areas;
};
KERNEL Course noCourse() {
  Course course;
  course.in_space = false;
  course.from = ivec3(0, 0, 0);
  course.by = course.from;
  course.to = course.from;
  course.height_from = 0;
  course.height_to = 0;
  course.areas = 0;
  return course;
}

// The box around a curve's control points, from its first source.
KERNEL ivec3 lowestOfCourse(Course course) { return min(min(course.from, course.by), course.to); }
KERNEL ivec3 highestOfCourse(Course course) { return max(max(course.from, course.by), course.to); }

KERNEL int courseAreas(int from, int to, bool begins) { return ((begins ? 1 : 0) << 28) | (to << 14) | from; }
// Whether no other curve ends where this one begins.
KERNEL bool courseBegins(int areas) { return (areas >> 28) != 0; }
KERNEL float courseLogArea(int areas, float t, CourseParams params) {
  float from = logOfArea(areas & kMaxArea);
  float to = logOfArea((areas >> 14) & kMaxArea);
  return from + t * (to - from) + params.log_area;
}

// The nearest point of a curve: how far it is, squared, in 1/256 of the source's cell, and where along the curve.
struct CoursePoint {
  float square;
  float along;
};

CONSTANT int kCourseSteps = 4;
CONSTANT float kCourseStep = 0.25f;

// How far the curve may be from a line of as many straight pieces, in 1/256 of the source's cell: 1/32 of it.
CONSTANT float kCourseSlack = 8.0f;

KERNEL vec3 pointOfCourse(ivec3 point) { return vec3(float(point.x), float(point.y), float(point.z)); }
// The dot product of vectors in the space of a course: on a plane without their third parts.
KERNEL float dotOf(Course course, vec3 a, vec3 b) {
  float on_plane = a.x * b.x + a.y * b.y;
  return course.in_space ? on_plane + a.z * b.z : on_plane;
}

// The same for that line. at: a place in the curve's coordinates.
KERNEL CoursePoint nearestOfPieces(Course course, vec3 at) {
  CoursePoint nearest;
  nearest.square = 1e12f;
  nearest.along = 0.0f;
  vec3 a = pointOfCourse(course.from);
  vec3 by = pointOfCourse(course.by);
  vec3 b = scaled(by - a, 2.0f);
  vec3 c = a - scaled(by, 2.0f) + pointOfCourse(course.to);
  vec3 p = a;
  for (int k = 1; k <= kCourseSteps; ++k) {
    float t = float(k) * kCourseStep;
    vec3 q = a + scaled(b + scaled(c, t), t);
    vec3 d = q - p;
    float part = clamp(dotOf(course, at - p, d) * reciprocal(max(dotOf(course, d, d), 1.0f)), 0.0f, 1.0f);
    vec3 o = at - p - scaled(d, part);
    float square = dotOf(course, o, o);
    if (square < nearest.square) {
      nearest.square = square;
      nearest.along = t - kCourseStep * (1.0f - part);
    }
    p = q;
  }
  return nearest;
}

// From the nearest point of the pieces to that of the curve itself, by Newton's steps. Where straight pieces meet, all
// places of a wedge would have the same nearest point, and a wide river's bed would be level there.
KERNEL CoursePoint nearestOfCourse(Course course, CoursePoint nearest, vec3 at) {
  vec3 a = pointOfCourse(course.from);
  vec3 by = pointOfCourse(course.by);
  vec3 b = scaled(by - a, 2.0f);
  vec3 c = a - scaled(by, 2.0f) + pointOfCourse(course.to);
  float t = nearest.along;
  for (int k = 0; k < 2; ++k) {
    vec3 o = at - a - scaled(b + scaled(c, t), t);
    vec3 d = b + scaled(c, 2.0f * t);
    float speed = max(dotOf(course, d, d), 1.0f);
    float bend = max(speed - 2.0f * dotOf(course, o, c), 0.25f * speed);
    t = clamp(t + dotOf(course, o, d) * reciprocal(bend), 0.0f, 1.0f);
  }
  vec3 o = at - a - scaled(b + scaled(c, t), t);
  nearest.square = dotOf(course, o, o);
  nearest.along = t;
  return nearest;
}

KERNELS_END

#endif
