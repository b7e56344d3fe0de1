// Lists the rivers that are near a tile of vertices: one tile an invocation. So a vertex looks at few of them.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"
#include "course_place.glsl"

// How far a vertex of a tile may be from its middle one, in cells: four of the longest diagonals of a planet.
const float kTileReach = 6.25f;

void main() {
  if (beyondRow()) return;
  int column = columnHere();
  int row = rowHere();
  int64_t first_x = globalColumnOf(0);
  int64_t first_y = globalRowOf(0);
  // The tile's vertices, in the window.
  int left = 8 * column - int(uint(first_x) & 7u);
  int top = 8 * row - int(uint(first_y) & 7u);
  float cells = uintBitsToFloat(uint(127 + 8 - params.depth) << 23);
  // How far from the middle a curve's pieces may be if the curve is at one of the other vertices.
  float around = kTileReach * cells + kCourseSlack;
  ivec3 middle = placeAmongSources(left + 4, top + 4);
  int list = listAt(column, row);
  int count = 0;
  int last_row = lastSearched(first_y, top + 7);
  int last_column = lastSearched(first_x, left + 7);
  for (int y = firstSearched(first_y, top); y <= last_row; ++y) {
    for (int x = firstSearched(first_x, left); x <= last_column; ++x) {
      int source = sourceAt(x, y);
      Course course = courseOf(source);
      if (course.areas == 0) continue;
      float width = courseWidth(courseLogArea(course.areas, 1.0f, params), params);
      float reach = cells * (bedReach(width) + valleyReach(width));
      float near = reach + around;
      vec3 from = fromSource(middle, x, y);
      vec3 before = pointOfCourse(lowestOfCourse(course)) - from;
      vec3 after = from - pointOfCourse(highestOfCourse(course));
      if (max(max(max(before.x, after.x), max(before.y, after.y)), max(before.z, after.z)) > near) continue;
      if (nearestOfPieces(course, from).square > near * near) continue;
      count += 1;
      if (count <= kCourseTileRivers) height[list + count] = listed(source, reach);
    }
  }
  height[list] = count;
}
