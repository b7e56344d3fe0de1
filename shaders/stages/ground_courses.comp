// Keeps the ways of the sources around the window, for finer levels, and makes the curves of their rivers: one source an
// invocation. The ways stand in the plane kPlaneWay, followed by the heights of their beds.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "course_place.glsl"

// The index of a source in the parent: of its way, and of its height; -1 if the parent does not have it.
ivec2 inParent(int column, int row) {
  Job job = jobs[slotHere()];
  int plane = params.parent_side * params.parent_side;
  int base = slotHere() * params.parent_size;
  int x = column - kSourceMargin + job.parent_x;
  int y = row - kSourceMargin + job.parent_y;
  int side = params.parent_side;
  if (params.parent_sources > 0) {
    // The parent's first vertex, and its first source.
    int64_t parent_x = (globalColumnOf(0) >> 1) - int64_t(job.parent_x);
    int64_t parent_y = (globalRowOf(0) >> 1) - int64_t(job.parent_y);
    x = column + int(firstColumnOfSources() - (parent_x >> (params.depth - 1)) + int64_t(kSourceMargin));
    y = row + int(firstRowOfSources() - (parent_y >> (params.depth - 1)) + int64_t(kSourceMargin));
    side = params.parent_sources;
  }
  if (min(x, y) < 0 || max(x, y) >= side) return ivec2(-1, -1);
  int at = base + y * side + x;
  int way = at + kLayerWay * plane;
  return ivec2(way, params.parent_sources > 0 ? way + side * side : at);
}
int wayOf(int column, int row) {
  int at = inParent(column, row).x;
  return at < 0 ? 0 : parent[at];
}
int heightOf(int column, int row) {
  int at = inParent(column, row).y;
  return at < 0 ? 0 : parent[at];
}

// Where the ground of a source lies, from a source, in 1/256 of their cells: the first level of ground takes the ground
// of a place from beside it, so the source's ground is found on the other side.
ivec2 placeOfSource(int column, int row, int from_column, int from_row) {
  uint x = 2u * (uint(firstColumnOfSources()) + uint(column));
  uint y = 2u * (uint(firstRowOfSources()) + uint(row));
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  return ivec2(256 * (column - from_column) - displacementAt(x, y, kGroundEast, params.stream, params.turn, params.displacement, seed),
               256 * (row - from_row) - displacementAt(x, y, kGroundSouth, params.stream, params.turn, params.displacement, seed));
}

bool hasDonor(int column, int row) {
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int way = wayOf(column + to.x, row + to.y);
    if (isRiver(way, params) && riverDirection(way) == (direction ^ 4)) return true;
  }
  return false;
}

// The way from a source: some of its vertices, from a source on, and how many of them are known. A way that ends stays at
// its last vertex.
struct Way {
  ivec2 at[kCourseVertices];
  int height[kCourseVertices];
  int area[kCourseVertices];
};

Way wayFrom(int column, int row) {
  Way way;
  ivec2 at = ivec2(column, row);
  for (int k = 0; k < kCourseVertices; ++k) {
    int river = wayOf(at.x, at.y);
    way.at[k] = placeOfSource(at.x, at.y, column, row);
    way.height[k] = heightOf(at.x, at.y);
    way.area[k] = riverArea(river);
    int direction = riverDirection(river);
    if (direction < 0 || direction == kWayEnds) continue;
    ivec2 next = at + neighbour(direction);
    if (isRiverKnown(wayOf(next.x, next.y))) at = next;
  }
  return way;
}

// The mean of five vertices of a way, with binomial weights: a point of the river. Ways turn by 45 degrees, rivers bend.
ivec2 smoothPlace(Way way, int first) {
  ivec2 sum = way.at[first] + 4 * way.at[first + 1] + 6 * way.at[first + 2] + 4 * way.at[first + 3] + way.at[first + 4];
  return ivec2(sum.x >> 4, sum.y >> 4);
}
int smoothHeight(Way way, int first) {
  int middle = way.height[first + 2];
  int sum = heldDifference(way.height[first], middle) / 16 + heldDifference(way.height[first + 1], middle) / 4 +
            heldDifference(way.height[first + 3], middle) / 4 + heldDifference(way.height[first + 4], middle) / 16;
  return middle + sum;
}

ivec2 middleOf(ivec2 a, ivec2 b) { return ivec2((a.x + b.x) >> 1, (a.y + b.y) >> 1); }
int middleHeight(int a, int b) { return (a >> 1) + (b >> 1); }

void main() {
  if (beyondRow()) return;
  int column = columnHere();
  int row = rowHere();
  int source = sourceAt(column, row);
  int i = sourceBase() + source;
  int river = wayOf(column, row);
  layers[inLayer(kPlaneWay, i)] = river;
  layers[inLayer(kPlaneWay, i + params.sources * params.sources)] = heightOf(column, row);

  movers[pass.plane + i] = packedWords(0u, 0u);
  int direction = riverDirection(river);
  if (!isRiver(river, params) || direction == kWayEnds) return;
  ivec2 to = neighbour(direction);
  if (!isRiverKnown(wayOf(column + to.x, row + to.y))) return;
  Way way = wayFrom(column, row);
  ivec2 by = smoothPlace(way, 1);
  ivec2 from = middleOf(smoothPlace(way, 0), by);
  ivec2 end = middleOf(by, smoothPlace(way, 2));
  int height_by = smoothHeight(way, 1);
  int height_from = middleHeight(smoothHeight(way, 0), height_by);
  int height_to = middleHeight(height_by, smoothHeight(way, 2));
  movers[i] = packedWords(packedPair(from), packedPair(by));
  // The curve lies about where the way's third step does.
  movers[pass.plane + i] = packedWords(packedPair(end), uint(courseAreas(way.area[2], max(way.area[2], way.area[3]), !hasDonor(column, row))));
  rate[i] = height_from;
  discharge[i] = uint(min(height_to, height_from));
}
