// Lists the rivers that are near a tile of vertices: one tile an invocation. So a vertex looks at few of them.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "course_place.glsl"

void main() {
  if (beyondRow()) return;
  int column = columnHere();
  int row = rowHere();
  int64_t first_x = globalColumnOf(0);
  int64_t first_y = globalRowOf(0);
  // The tile's vertices, in the window.
  int left = 8 * column - int(uint(first_x) & 7u);
  int top = 8 * row - int(uint(first_y) & 7u);
  float west = courseCoordinate(first_x, left);
  float north = courseCoordinate(first_y, top);
  float east = courseCoordinate(first_x, left + 7);
  float south = courseCoordinate(first_y, top + 7);
  float middle_x = 0.5f * (west + east);
  float middle_y = 0.5f * (north + south);
  // How far from the middle a curve's pieces may be if the curve is at one of the corners.
  float corner = 0.70710678f * (east - west) + kCourseSlack;
  int list = listAt(column, row);
  int count = 0;
  float cells = uintBitsToFloat(uint(127 + 8 - params.depth) << 23);
  int first_column = max((int(floor(west)) >> 8) - kCourseSearch, 0);
  int last_column = min((int(floor(east)) >> 8) + kCourseSearch, params.sources - 1);
  int first_row = max((int(floor(north)) >> 8) - kCourseSearch, 0);
  int last_row = min((int(floor(south)) >> 8) + kCourseSearch, params.sources - 1);
  for (int y = first_row; y <= last_row; ++y) {
    for (int x = first_column; x <= last_column; ++x) {
      Course course = courseOf(sourceAt(x, y));
      if (course.areas == 0) continue;
      float width = courseWidth(courseLogArea(course.areas, 1.0f, params), params);
      float reach = cells * (bedReach(width) + valleyReach(width));
      ivec4 box = courseBox(course);
      float x0 = float(256 * x + box.x) - reach;
      float y0 = float(256 * y + box.y) - reach;
      float x1 = float(256 * x + box.z) + reach;
      float y1 = float(256 * y + box.w) + reach;
      if (x0 > east || x1 < west || y0 > south || y1 < north) continue;
      float away = nearestOfPieces(course, middle_x - float(256 * x), middle_y - float(256 * y)).square;
      float near = reach + corner;
      if (away > near * near) continue;
      count += 1;
      if (count <= kCourseTileRivers) height[list + count] = listed(sourceAt(x, y), reach);
    }
  }
  height[list] = count;
}
