// Where a window lies among the sources of rivers, and where kernels of ground keep them. Included after standing.glsl and
// packed.glsl by stages with CourseParams.

// The source at the window's first kept column or row, in coordinates of the last level of rivers.
int64_t firstSourceOf(int64_t first) { return (first >> params.depth) - int64_t(kSourceMargin); }
int64_t firstColumnOfSources() { return firstSourceOf(globalColumnOf(0)); }
int64_t firstRowOfSources() { return firstSourceOf(globalRowOf(0)); }

// The index of a source among those of its window.
int sourceAt(int column, int row) { return row * params.sources + column; }
int sourceBase() { return slotHere() * pass.stride * pass.stride; }

// A vertex's place, in 1/256 of the source's cell from the first source.
float courseCoordinate(int64_t first, int at) {
  int before = int(first - (firstSourceOf(first) << params.depth));
  return float(before + at) * uintBitsToFloat(uint(127 + 8 - params.depth) << 23);
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

Course courseOf(int source) {
  int i = sourceBase() + source;
  uint64_t points = movers[i];
  uint64_t rest = movers[pass.plane + i];
  Course course;
  course.from = unpackedPair(uint(points));
  course.by = unpackedPair(uint(points >> 32));
  course.to = unpackedPair(uint(rest));
  course.areas = int(uint(rest >> 32));
  course.height_from = rate[i];
  course.height_to = int(discharge[i]);
  return course;
}
