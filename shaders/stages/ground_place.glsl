// A vertex's place for noise, and the lengths of its steps to neighbours. Included after standing.glsl.

// The place of a vertex. The position must be the owner of the vertex.
Place placeOf(int slot, int column, int row) {
  int64_t x = globalColumnIn(slot, column);
  int64_t y = globalRowIn(slot, row);
  if (!kOnSphere) return placeOnPlane(x, y);
  return placeOnSphere(jobs[slot].face, jobs[slot].face_bits, x, y);
}
Place placeHere() { return placeOf(slotHere(), columnHere(), rowHere()); }

float noiseAt(Place place, Lattice lattice) {
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  if (!kOnSphere) return gradientNoise(place, lattice, seed);
  return spaceNoise(place, lattice, seed);
}

// Only for a planet.
Frame frameOf(int slot, int column, int row) {
  return frameAt(jobs[slot].face_bits, globalColumnIn(slot, column), globalRowIn(slot, row));
}
// A vector of space in columns and rows.
vec2 spaceOnFace(int slot, int column, int row, vec3 v) {
  vec3 parts = inFace(jobs[slot].face, v);
  return onFace(frameOf(slot, column, row), parts.x, parts.y, parts.z);
}
Frame frameHere() { return frameOf(slotHere(), columnHere(), rowHere()); }

// The squared slope of ground with these rises, by column and by row.
float slopeSquaredHere(float rise_x, float rise_y) {
  if (!kOnSphere) return rise_x * rise_x + rise_y * rise_y;
  return slopeSquared(frameHere(), rise_x, rise_y);
}

// The lengths of the steps in four directions and in the opposite ones, in cells; see stepOf.
vec4 stepsHere() {
  if (!kOnSphere) return vec4(1.0f, 1.41421356f, 1.0f, 1.41421356f);
  return stepsOf(frameHere());
}

// What a fall to a neighbour is over the neighbour's distance in a square cell: 1 or the root of 2. steps: see stepsHere.
float fallOnSquare(float fall, int direction, vec4 steps) {
  if (!kOnSphere) return fall;
  return fall * reciprocal(stepOf(steps, direction)) * ((direction & 1) != 0 ? 1.41421356f : 1.0f);
}
