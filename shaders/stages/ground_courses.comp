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

ivec2 middleOf(ivec2 a, ivec2 b) { return ivec2((a.x + b.x) >> 1, (a.y + b.y) >> 1); }
int middleHeight(int a, int b) { return (a >> 1) + (b >> 1); }

void main() {
  if (beyondRow()) return;
  int column = columnHere();
  int row = rowHere();
  int source = sourceAt(column, row);
  int i = sourceBase() + source;
  int way = wayOf(column, row);
  int ground = heightOf(column, row);
  layers[inLayer(kPlaneWay, i)] = way;
  layers[inLayer(kPlaneWay, i + params.sources * params.sources)] = ground;

  movers[pass.plane + i] = packedWords(0u, 0u);
  int direction = riverDirection(way);
  if (!isRiver(way, params) || direction == kWayEnds) return;
  ivec2 to = neighbour(direction);
  int next = wayOf(column + to.x, row + to.y);
  if (!isRiverKnown(next)) return;
  int next_height = heightOf(column + to.x, row + to.y);
  ivec2 here = placeOfSource(column, row, column, row);
  ivec2 by = placeOfSource(column + to.x, row + to.y, column, row);
  bool begins = !hasDonor(column, row);
  ivec2 from = begins ? here : middleOf(here, by);
  int height_from = begins ? ground : middleHeight(ground, next_height);
  ivec2 end = by;
  int height_to = next_height;
  if (riverDirection(next) != kWayEnds) {
    ivec2 on = to + neighbour(riverDirection(next));
    end = middleOf(by, placeOfSource(column + on.x, row + on.y, column, row));
    height_to = middleHeight(next_height, heightOf(column + on.x, row + on.y));
  }
  movers[i] = packedWords(packedPair(from), packedPair(by));
  movers[pass.plane + i] = packedWords(packedPair(end), uint(courseAreas(riverArea(way), max(riverArea(next), riverArea(way)), begins)));
  rate[i] = height_from;
  discharge[i] = uint(min(height_to, height_from));
}
