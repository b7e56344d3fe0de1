// Shapes the ground around rivers: beds that fall along them, channels and banks. Flow is the river's in its channel, and
// that of a hillside beside it.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "course_place.glsl"

// What a vertex knows of a river.
struct RiverPoint {
  float away;    // from its middle, in cells
  float beyond;  // from its bed; 0 in it
  int bed;       // its height
  float log_km2;
};

RiverPoint riverPoint(int source, float x, float y) {
  Course course = courseOf(source);
  int row = source / params.sources;
  CoursePoint nearest = nearestOfCourse(course, x - float(256 * (source - row * params.sources)), y - float(256 * row));
  RiverPoint river;
  river.away = lengthOf(nearest.square) * uintBitsToFloat(uint(127 - 8 + params.depth) << 23);
  river.log_km2 = courseLogArea(course.areas, nearest.along, params);
  float width = courseWidth(river.log_km2, params);
  river.beyond = max(river.away - bedReach(width), 0.0f);
  // What lies before a curve belongs to the one that ends there, which is higher.
  if (nearest.along <= 0.0f && !courseBegins(course.areas)) river.beyond = 1e12f;
  river.bed = course.height_from + int(nearest.along * float(heldDifference(course.height_to, course.height_from)));
  return river;
}

// The same or that of a source's river, if its bed is nearer. In the beds of several rivers the lowest counts: so none is
// dammed by another that runs beside it.
RiverPoint nearerOf(RiverPoint river, int source, float x, float y) {
  if (uint(movers[pass.plane + sourceBase() + source] >> 32) == 0u) return river;
  RiverPoint other = riverPoint(source, x, y);
  bool lower = other.beyond == river.beyond && other.bed < river.bed;
  if (other.beyond < river.beyond || lower) return other;
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
  float x = courseCoordinate(first_x, columnHere());
  float y = courseCoordinate(first_y, rowHere());
  RiverPoint river;
  river.away = 1e12f;
  river.beyond = 1e12f;
  river.bed = 0;
  river.log_km2 = 0.0f;
  if (count <= kCourseTileRivers) {
    for (int k = 1; k <= count; ++k) river = nearerOf(river, height[list + k], x, y);
  } else {
    int column = int(floor(x)) >> 8;
    int row = int(floor(y)) >> 8;
    for (int south = -kCourseSearch; south <= kCourseSearch; ++south) {
      for (int east = -kCourseSearch; east <= kCourseSearch; ++east) {
        river = nearerOf(river, sourceAt(column + east, row + south), x, y);
      }
    }
  }
  float width = courseWidth(river.log_km2, params);
  if (river.beyond > valleyReach(width)) return;
  int ground = height[pass.front + i];
  int shaped = groundByRiver(ground, river.bed, river.away, river.beyond, river.log_km2, params);
  int change = shaped - ground;
  height[pass.front + i] = shaped;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
  if (hasLayer(params.planes, kLayerWater)) {
    layers[inLayer(kPlaneWater, i)] = standingLevel(layers[inLayer(kPlaneWater, i)], shaped);
  }
  if (river.beyond == 0.0f) {
    // In cells of this level; 2^20 of them fit.
    float cells = powerOfTwo(min(river.log_km2 - params.log_area + 2.0f * float(params.depth), 20.0f));
    flow[i] = int(256.0f * cells);
  }
}
