// Keeps the ways of the sources around the window, for finer levels, and makes the curves of their rivers: one source an
// invocation. The ways stand in the plane kPlaneWay, followed by the heights of their beds.
#include "bindings.glsl"

PARAMETERS(CourseParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"
#include "course_place.glsl"

// The sources on a side of a planet's face.
int64_t faceSources() { return int64_t(1) << (jobs[slotHere()].face_bits - params.depth); }

// Whether a source of the window lies beyond two sides of the face, where there is none.
bool isBesideCorner(int column, int row) {
  if (!kOnSphere) return false;
  FaceVertex source;
  source.x = firstColumnOfSources() + int64_t(column);
  source.y = firstRowOfSources() + int64_t(row);
  return isBeyondCorner(source, faceSources());
}

// The index of a source in the parent: of its way, and of its height; -1 if the parent does not have it.
ivec2 inParent(int column, int row) {
  Job job = jobs[slotHere()];
  int plane = params.parent_side * params.parent_side;
  int base = slotHere() * params.parent_size;
  int x = column - sourceMargin(kOnSphere) + job.parent_x;
  int y = row - sourceMargin(kOnSphere) + job.parent_y;
  int side = params.parent_side;
  if (params.parent_sources > 0) {
    // The parent's first vertex, and its first source.
    int64_t parent_x = (globalColumnOf(0) >> 1) - int64_t(job.parent_x);
    int64_t parent_y = (globalRowOf(0) >> 1) - int64_t(job.parent_y);
    x = column + int(firstColumnOfSources() - (parent_x >> (params.depth - 1)) + int64_t(sourceMargin(kOnSphere)));
    y = row + int(firstRowOfSources() - (parent_y >> (params.depth - 1)) + int64_t(sourceMargin(kOnSphere)));
    side = params.parent_sources;
  }
  if (min(x, y) < 0 || max(x, y) >= side || isBesideCorner(column, row)) return ivec2(-1, -1);
  int at = base + y * side + x;
  int way = at + kLayerWay * plane;
  return ivec2(way, params.parent_sources > 0 ? way + side * side : at);
}

// A source, by its column and row in the window; on a planet also the owner of its vertex, and the turns from its vectors to those of the
// window. So ways are followed over any edge and around corners, and each window finds the same.
struct Source {
  ivec2 here;
  int turns;
  FaceVertex owner;
};
Source sourceOwnedBy(FaceVertex owner) {
  Source source;
  source.owner = owner;
  source.turns = 0;
  FaceVertex here = owner;
  int face = jobs[slotHere()].face;
  int over = 0;
  for (int side = 1; side < 4; ++side) over = owner.face == faceBeyond(face, side) ? side : over;
  if (owner.face != face) {
    here = backAcross(owner, face, over, faceSources());
    source.turns = 4 - turnsBeyond(face, over);
  }
  source.here = ivec2(int(here.x - firstColumnOfSources()), int(here.y - firstRowOfSources()));
  return source;
}
FaceVertex faceVertex(int face, int64_t x, int64_t y) {
  FaceVertex at;
  at.face = face;
  at.turns = 0;
  at.x = x;
  at.y = y;
  return at;
}
Source sourceOnPlane(ivec2 here) {
  Source source;
  source.here = here;
  source.turns = 0;
  source.owner = faceVertex(0, int64_t(0), int64_t(0));
  return source;
}
Source sourceOf(int column, int row) {
  if (!kOnSphere) return sourceOnPlane(ivec2(column, row));
  FaceVertex at = faceVertex(jobs[slotHere()].face, firstColumnOfSources() + int64_t(column), firstRowOfSources() + int64_t(row));
  return sourceOwnedBy(continuedOn(at, faceSources()));
}
Source besideSource(Source source, int direction) {
  ivec2 to = neighbour(direction);
  if (!kOnSphere) return sourceOnPlane(source.here + to);
  FaceVertex at = faceVertex(source.owner.face, source.owner.x + int64_t(to.x), source.owner.y + int64_t(to.y));
  return sourceOwnedBy(continuedOn(at, faceSources()));
}
bool isSame(FaceVertex a, FaceVertex b) { return a.face == b.face && a.x == b.x && a.y == b.y; }

// A source's way, from the window's directions to its own.
int inOwnDirections(Source source, int way) { return kOnSphere ? turnedRiver(way, (4 - source.turns) & 3) : way; }

// A source's way, in its own directions, and the height of its bed.
int wayOf(Source source) {
  int at = inParent(source.here.x, source.here.y).x;
  if (at < 0) return 0;
  return inOwnDirections(source, parent[at]);
}
int heightOf(Source source) {
  int at = inParent(source.here.x, source.here.y).y;
  return at < 0 ? 0 : parent[at];
}

// Where a source is, in 1/256 of its cell, as in placeAmongSources; and from there the ground that it has: the first level of ground takes
// the ground of a place from beside it, so the source's ground is found on the other side.
ivec3 placeOfSource(Source source) {
  if (!kOnSphere) return ivec3(256 * source.here.x, 256 * source.here.y, 0);
  Place place = placeOnSphere(source.owner.face, jobs[slotHere()].face_bits - params.depth, source.owner.x, source.owner.y);
  return ivec3(int(place.x), int(place.y), int(place.z));
}
ivec3 displacementOf(Source source) {
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  if (kOnSphere) {
    // The first level of ground has twice the cells.
    int bits = jobs[slotHere()].face_bits - params.depth + 1;
    FaceVertex at = source.owner;
    Frame frame = frameAt(bits, 2 * at.x, 2 * at.y);
    Place place = placeOnSphere(at.face, bits, 2 * at.x, 2 * at.y);
    ivec2 by = displacementOnSphere(at.face, place, frame, params.stream, params.turn, params.displacement, seed);
    vec3 v = inSpace(at.face, scaled(frame.east, float(by.x)) + scaled(frame.south, float(by.y)));
    return ivec3(int(floor(v.x)), int(floor(v.y)), int(floor(v.z)));
  }
  uint x = 2u * (uint(firstColumnOfSources()) + uint(source.here.x));
  uint y = 2u * (uint(firstRowOfSources()) + uint(source.here.y));
  return ivec3(displacementAt(x, y, kGroundEast, params.stream, params.turn, params.displacement, seed),
               displacementAt(x, y, kGroundSouth, params.stream, params.turn, params.displacement, seed), 0);
}

bool hasDonor(Source source) {
  for (int direction = 0; direction < 8; ++direction) {
    Source donor = besideSource(source, direction);
    int way = wayOf(donor);
    int to = riverDirection(way);
    if (!isRiver(way, params) || to == kWayEnds) continue;
    // Over an edge or around a corner the way back may have another direction.
    bool drains = kOnSphere ? isSame(besideSource(donor, to).owner, source.owner) : to == (direction ^ 4);
    if (drains) return true;
  }
  return false;
}

// The way from a source: some of its vertices, from the source's place on, and how many of them are known. A way that ends stays at
// its last vertex.
struct Way {
  ivec3 at[kCourseVertices];
  int height[kCourseVertices];
  int area[kCourseVertices];
};

Way wayFrom(Source source) {
  Way way;
  Source at = source;
  ivec3 first = placeOfSource(source);
  for (int k = 0; k < kCourseVertices; ++k) {
    int river = wayOf(at);
    way.at[k] = placeOfSource(at) - first - displacementOf(at);
    way.height[k] = heightOf(at);
    way.area[k] = riverArea(river);
    int direction = riverDirection(river);
    if (direction < 0 || direction == kWayEnds) continue;
    Source next = besideSource(at, direction);
    if (isRiverKnown(wayOf(next))) at = next;
  }
  return way;
}

// The mean of five vertices of a way, with binomial weights: a point of the river. Ways turn by 45 degrees, rivers bend.
ivec3 smoothPlace(Way way, int first) {
  ivec3 sum = way.at[first] + 4 * way.at[first + 1] + 6 * way.at[first + 2] + 4 * way.at[first + 3] + way.at[first + 4];
  return ivec3(sum.x >> 4, sum.y >> 4, sum.z >> 4);
}
int smoothHeight(Way way, int first) {
  int middle = way.height[first + 2];
  int sum = heldDifference(way.height[first], middle) / 16 + heldDifference(way.height[first + 1], middle) / 4 +
            heldDifference(way.height[first + 3], middle) / 4 + heldDifference(way.height[first + 4], middle) / 16;
  return middle + sum;
}

ivec3 middleOf(ivec3 a, ivec3 b) { return ivec3((a.x + b.x) >> 1, (a.y + b.y) >> 1, (a.z + b.z) >> 1); }
int middleHeight(int a, int b) { return (a >> 1) + (b >> 1); }

// The curve of a source's river; without areas if it has none.
Course courseFrom(Source source, int river) {
  int direction = riverDirection(river);
  if (!isRiver(river, params) || direction == kWayEnds || !isRiverKnown(wayOf(besideSource(source, direction)))) return noCourse();
  Way way = wayFrom(source);
  Course course = noCourse();
  course.by = smoothPlace(way, 1);
  course.from = middleOf(smoothPlace(way, 0), course.by);
  course.to = middleOf(course.by, smoothPlace(way, 2));
  int height_by = smoothHeight(way, 1);
  course.height_from = middleHeight(smoothHeight(way, 0), height_by);
  course.height_to = min(middleHeight(height_by, smoothHeight(way, 2)), course.height_from);
  // The curve lies about where the way's third step does.
  course.areas = courseAreas(way.area[2], max(way.area[2], way.area[3]), !hasDonor(source));
  return course;
}

void main() {
  if (beyondRow()) return;
  int i = sourceBase() + sourceAt(columnHere(), rowHere());
  ivec2 at = inParent(columnHere(), rowHere());
  int river = at.x < 0 ? 0 : parent[at.x];
  layers[inLayer(kPlaneWay, i)] = river;
  layers[inLayer(kPlaneWay, secondPlace(i))] = at.y < 0 ? 0 : parent[at.y];

  Source source = sourceOf(columnHere(), rowHere());
  // Beside a corner a vertex of the edge between the two other faces has two places in a window: one is enough.
  bool is_here = source.here.x == columnHere() && source.here.y == rowHere();
  Course course = is_here ? courseFrom(source, inOwnDirections(source, river)) : noCourse();
  ivec3 place = course.areas != 0 ? placeOfSource(source) : ivec3(0, 0, 0);
  keepCourse(sourceAt(columnHere(), rowHere()), place, course);
}
