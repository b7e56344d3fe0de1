// Shapes the ground around rivers: beds that fall along them, channels and banks. Flow is the river's in its channel, and
// that of a hillside beside it.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"
#include "ground_change.glsl"
#include "course_place.glsl"

// What a vertex knows of a river.
struct RiverPoint {
  float away;    // from its middle, in cells
  float beyond;  // from its bed; 0 in it
  float part;    // the same, as a part of how far it shapes the ground: beyond 1 not at all
  int bed;       // its height
  float log_km2;
};

// The river at a point of its curve.
RiverPoint riverPoint(Course course, CoursePoint nearest) {
  RiverPoint river;
  river.away = lengthOf(nearest.square) * uintBitsToFloat(uint(127 - 8 + params.depth) << 23);
  river.log_km2 = courseLogArea(course.areas, nearest.along, params);
  float width = courseWidth(river.log_km2, params);
  river.beyond = max(river.away - bedReach(width), 0.0f);
  river.part = river.beyond * reciprocal(valleyReach(width));
  // What lies before a curve belongs to the one that ends there, which is higher.
  if (nearest.along <= 0.0f && !courseBegins(course.areas)) river.part = 2.0f;
  river.bed = course.height_from + int(nearest.along * float(heldDifference(course.height_to, course.height_from)));
  return river;
}

// The same or that of a source's river, if that one shapes the place more. In the beds of several rivers the lowest counts:
// so none is dammed by another that runs beside it.
RiverPoint strongerOf(RiverPoint river, int source, float reach, ivec3 place) {
  Course course = courseOf(source);
  if (course.areas == 0) return river;
  int row = source / params.sources;
  vec3 at = fromSource(place, source - row * params.sources, row);
  CoursePoint near = nearestOfPieces(course, at);
  float most = reach + kCourseSlack;
  if (near.square > most * most) return river;
  RiverPoint other = riverPoint(course, nearestOfCourse(course, near, at));
  bool lower = other.part == river.part && other.bed < river.bed;
  // The same from each face, whatever the order of sources there.
  bool larger = other.part == river.part && other.bed == river.bed && other.log_km2 > river.log_km2;
  if (other.part < river.part || lower || larger) return other;
  return river;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  flow[i] = min(flow[i], params.bank_flow);
  int64_t first_x = globalColumnOf(0);
  int64_t first_y = globalRowOf(0);
  int list = listAt(tileOf(first_x, columnHere()), tileOf(first_y, rowHere()));
  int count = height[list];
  if (count == 0) return;
  ivec3 place = placeAmongSources(columnHere(), rowHere());
  RiverPoint river;
  river.away = 1e12f;
  river.beyond = 1e12f;
  river.part = 2.0f;
  river.bed = 0;
  river.log_km2 = -1e12f;
  if (count <= kCourseTileRivers) {
    for (int k = 1; k <= count; ++k) {
      int entry = height[list + k];
      river = strongerOf(river, listedSource(entry), listedReach(entry), place);
    }
  } else {
    int last_row = lastSearched(first_y, rowHere());
    int last_column = lastSearched(first_x, columnHere());
    for (int y = firstSearched(first_y, rowHere()); y <= last_row; ++y) {
      for (int x = firstSearched(first_x, columnHere()); x <= last_column; ++x) {
        river = strongerOf(river, sourceAt(x, y), 1e12f, place);
      }
    }
  }
  if (river.part > 1.0f) return;
  int ground = height[pass.front + i];
  int shaped = groundByRiver(ground, river.bed, river.away, river.beyond, river.log_km2, params);
  raiseGround(i, shaped - ground, shaped - ground, params.planes);
  if (river.beyond == 0.0f) {
    // In cells of this level; 2^20 of them fit.
    float cells = powerOfTwo(min(river.log_km2 - params.log_area + 2.0f * float(params.depth), 20.0f));
    flow[i] = int(256.0f * cells);
  }
}
