// Where a window lies among the sources of rivers, and where kernels of ground keep them. Included after standing.glsl,
// ground_place.glsl and packed.glsl by stages with CourseParams.

// The source at the window's first kept column or row, in coordinates of the last level of rivers.
int64_t firstSourceOf(int64_t first) { return (first >> params.depth) - int64_t(sourceMargin(kOnSphere)); }
int64_t firstColumnOfSources() { return firstSourceOf(globalColumnOf(0)); }
int64_t firstRowOfSources() { return firstSourceOf(globalRowOf(0)); }

// The index of a source among those of its window.
int sourceAt(int column, int row) { return row * params.sources + column; }
int sourceBase() { return slotHere() * pass.stride * pass.stride; }

// The first source that a column or row may be shaped by, and the last.
int firstSearched(int64_t first, int at) {
  return max(int(((first + int64_t(at)) >> params.depth) - firstSourceOf(first)) - courseSearch(kOnSphere), 0);
}
int lastSearched(int64_t first, int at) {
  return min(int(((first + int64_t(at)) >> params.depth) - firstSourceOf(first)) + courseSearch(kOnSphere), params.sources - 1);
}

// A vertex's place, in 1/65536 of the source's cell: from the first source, or on a planet from its middle, without the upper bits. Only
// differences count, so they are exact also where a place has more bits.
ivec3 placeAmongSources(int column, int row) {
  if (kOnSphere) {
    Place place = placeOf(slotHere(), column, row);
    return ivec3(int((place.x << 8) >> params.depth), int((place.y << 8) >> params.depth), int((place.z << 8) >> params.depth));
  }
  int64_t x = globalColumnOf(column) - (firstColumnOfSources() << params.depth);
  int64_t y = globalRowOf(row) - (firstRowOfSources() << params.depth);
  return ivec3(int((x << 16) >> params.depth), int((y << 16) >> params.depth), 0);
}

// A tile of vertices that lists the rivers near it. Tiles lie at multiples of their size in the infinite field, so all
// blocks have the same ones.
int tilesInRow() { return courseTiles(pass.stride); }
int listAt(int column, int row) {
  return backPlane() + sourceBase() + (row * tilesInRow() + column) * (kCourseTileRivers + 1);
}
int tileOf(int64_t first, int at) {
  int inside = int(uint(first) & 7u);
  return (inside + at) >> kCourseTileBits;
}

// A second number for each source, in the same planes.
int secondPlace(int i) { return i + params.sources * params.sources; }

Course courseOf(int source) {
  int i = sourceBase() + source;
  uint64_t points = movers[i];
  uint64_t rest = movers[pass.plane + i];
  ivec2 from = unpackedPair(uint(points));
  ivec2 by = unpackedPair(uint(points >> 32));
  ivec2 to = unpackedPair(uint(rest));
  ivec2 first_two = ivec2(0, 0);
  int last = 0;
  if (kOnSphere) {
    uint64_t up = movers[secondPlace(i)];
    first_two = unpackedPair(uint(up));
    last = unpackedPair(uint(up >> 32)).x;
  }
  Course course;
  course.in_space = kOnSphere;
  course.from = ivec3(from.x, from.y, first_two.x);
  course.by = ivec3(by.x, by.y, first_two.y);
  course.to = ivec3(to.x, to.y, last);
  course.areas = int(uint(rest >> 32));
  course.height_from = rate[i];
  course.height_to = int(discharge[i]);
  return course;
}
// Where a source is, in 1/256 of its cell: see placeAmongSources.
ivec3 placeOfFirst(int column, int row) {
  if (!kOnSphere) return ivec3(256 * column, 256 * row, 0);
  int i = secondPlace(sourceBase() + sourceAt(column, row));
  return ivec3(rate[i], int(discharge[i]), int(uint(movers[pass.plane + i])));
}
void keepCourse(int source, ivec3 place, Course course) {
  int i = sourceBase() + source;
  movers[i] = packedWords(packedPair(ivec2(course.from.x, course.from.y)), packedPair(ivec2(course.by.x, course.by.y)));
  movers[pass.plane + i] = packedWords(packedPair(ivec2(course.to.x, course.to.y)), uint(course.areas));
  rate[i] = course.height_from;
  discharge[i] = uint(course.height_to);
  if (!kOnSphere) return;
  movers[secondPlace(i)] = packedWords(packedPair(ivec2(course.from.z, course.by.z)), packedPair(ivec2(course.to.z, 0)));
  movers[pass.plane + secondPlace(i)] = packedWords(uint(place.z), 0u);
  rate[secondPlace(i)] = place.x;
  discharge[secondPlace(i)] = uint(place.y);
}

// A place from a source, in 1/256 of its cell.
vec3 fromSource(ivec3 place, int column, int row) {
  ivec3 first = placeOfFirst(column, row);
  // Bits are lost above: so the difference of unsigned numbers.
  int x = int(uint(place.x) - (uint(first.x) << 8));
  int y = int(uint(place.y) - (uint(first.y) << 8));
  int z = int(uint(place.z) - (uint(first.z) << 8));
  return vec3(0.00390625f * float(x), 0.00390625f * float(y), 0.00390625f * float(z));
}
