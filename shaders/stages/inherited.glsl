// The position of a vertex in its block's parent. Included after standing.glsl by stages whose
// parameters have parent_side and parent_size.
// 1 if this vertex lies between two of the parent's columns, or rows; 0 if on one.
int oddColumn() { return (columnHere() + int(jobs[slotHere()].x_low)) & 1; }
int oddRow() { return (rowHere() + int(jobs[slotHere()].y_low)) & 1; }
// The index in `parent` of the parent vertex at or before this vertex, along each axis.
int parentHere() {
  Job job = jobs[slotHere()];
  int px = job.parent_x + ((columnHere() + int(job.x_low & 1u)) >> 1);
  int py = job.parent_y + ((rowHere() + int(job.y_low & 1u)) >> 1);
  return slotHere() * params.parent_size + py * params.parent_side + px;
}
// The indices of the parents around this vertex: four, two twice, or one four times.
ivec4 parentsAround() {
  int east = oddColumn();
  int south = oddRow() * params.parent_side;
  return parentHere() + ivec4(0, east, south, east + south);
}
// Which of the parent's columns beside this vertex is an edge of the face: see middleWithin. The lattices of two faces meet at an
// angle, so that even level ground bends there, counted in columns and rows: it is not interpolated over an edge.
int edgeBeside(int here, int first, int last) { return int(here == last - 1) - int(here == first + 1); }
int edgeColumn() {
  if (!kOnSphere) return 0;
  Job job = jobs[slotHere()];
  return edgeBeside(columnHere(), job.west_edge, job.east_edge);
}
int edgeRow() {
  if (!kOnSphere) return 0;
  Job job = jobs[slotHere()];
  return edgeBeside(rowHere(), job.north_edge, job.south_edge);
}
// The parent's ground in a row, interpolated. Between columns the four nearest count; on one it counts four times.
int groundInRow(int at, int east, int edge) {
  return middleWithin(parent[at - east], parent[at], parent[at + east], parent[at + 2 * east], edge);
}
// The parent's ground at this vertex, interpolated.
int parentGround() {
  int at = parentHere();
  int east = oddColumn();
  int edge = edgeColumn();
  if (oddRow() == 0) return groundInRow(at, east, edge);
  int south = params.parent_side;
  return middleWithin(groundInRow(at - south, east, edge), groundInRow(at, east, edge), groundInRow(at + south, east, edge),
                      groundInRow(at + 2 * south, east, edge), edgeRow());
}
// The level of the water that stands at a vertex of the parent, or kDry.
int parentWater(int at) {
  int plane = params.parent_side * params.parent_side;
  int has = layerBit(params.planes, kLayerWater);
  return min(standingLevel(parent[has * kLayerWater * plane + at], parent[at]), highestOr(has, kDry));
}
