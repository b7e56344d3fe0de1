// Places between the parent's vertices, in 1/256 of its cells. Included after inherited.glsl and ground_place.glsl.

// The columns and rows of the parent at which the face ends.
struct ParentEdges {
  int west;
  int north;
  int east;
  int south;
};
ParentEdges parentEdges() {
  Job job = jobs[slotHere()];
  int x_off = int(job.x_low & 1u);
  int y_off = int(job.y_low & 1u);
  ParentEdges edges;
  edges.west = job.parent_x + ((job.west_edge + x_off) >> 1);
  edges.north = job.parent_y + ((job.north_edge + y_off) >> 1);
  edges.east = job.parent_x + ((job.east_edge + x_off) >> 1);
  edges.south = job.parent_y + ((job.south_edge + y_off) >> 1);
  return edges;
}

// The place of this vertex.
ivec2 placeInParent() {
  Job job = jobs[slotHere()];
  return ivec2(job.parent_x * 256 + (columnHere() + int(job.x_low & 1u)) * 128,
               job.parent_y * 256 + (rowHere() + int(job.y_low & 1u)) * 128);
}

// A place beside this vertex that was reached along the face's own columns and rows. Beyond an edge the lattice is the next
// face's, which is this one's as a mirror shows it: columns lean as far to the other side.
ivec2 overEdges(ivec2 place, ParentEdges edges) {
  if (!kOnSphere) return place;
  int over_x = max(256 * edges.west - place.x, 0) + min(256 * edges.east - place.x, 0);
  int over_y = max(256 * edges.north - place.y, 0) + min(256 * edges.south - place.y, 0);
  Frame frame = frameHere();
  float lean = 2.0f * frame.east_south;
  return ivec2(place.x - int(floor(float(over_y) * lean * reciprocal(frame.east_east) + 0.5f)),
               place.y - int(floor(float(over_x) * lean * reciprocal(frame.south_south) + 0.5f)));
}

// The heights of four columns or rows, where those beyond an edge, which is at the one at or before the place, or at the next
// one, are those of a parabola through the three on the place's side. at: the column or row at or before the place.
vec4 withinEdges(vec4 taps, int at, int first, int last) {
  if (!kOnSphere) return taps;
  // Conditions that are joined would keep rows from being vectors.
  int from = min(abs(at - first), abs(at - last));
  int to = min(abs(at + 1 - first), abs(at + 1 - last));
  float before = 3.0f * (taps.y - taps.z) + taps.w;
  float after = 3.0f * (taps.z - taps.y) + taps.x;
  return vec4(from == 0 ? before : taps.x, taps.y, taps.z, to == 0 ? after : taps.w);
}
