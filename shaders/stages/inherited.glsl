// The position of a vertex in its block's parent. Included after standing.glsl by stages whose
// parameters have parent_side and parent_size.
bool isOddColumn() { return ((columnHere() + int(jobs[slotHere()].x_low & 1u)) & 1) != 0; }
bool isOddRow() { return ((rowHere() + int(jobs[slotHere()].y_low & 1u)) & 1) != 0; }
// The index in `parent` of the parent vertex at or before this vertex, along each axis.
int parentHere() {
  Job job = jobs[slotHere()];
  int px = job.parent_x + ((columnHere() + int(job.x_low & 1u)) >> 1);
  int py = job.parent_y + ((rowHere() + int(job.y_low & 1u)) >> 1);
  return slotHere() * params.parent_size + py * params.parent_side + px;
}
// The indices of the parents around this vertex: four, two twice, or one four times.
ivec4 parentsAround() {
  int east = isOddColumn() ? 1 : 0;
  int south = isOddRow() ? params.parent_side : 0;
  return parentHere() + ivec4(0, east, south, east + south);
}
// The parent's ground at this vertex, interpolated.
int parentGround() {
  int at = parentHere();
  bool odd_x = isOddColumn();
  bool odd_y = isOddRow();
  // Rows of the parent first, then across them. An even vertex needs one row, an odd one four.
  int rows[4];
  for (int row = 0; row < 4; ++row) {
    int r = at + (odd_y ? row - 1 : 0) * params.parent_side;
    rows[row] = odd_x ? middle(parent[r - 1], parent[r], parent[r + 1], parent[r + 2]) : parent[r];
  }
  return odd_y ? middle(rows[0], rows[1], rows[2], rows[3]) : rows[0];
}
// The level of the water that stands at a vertex of the parent, or kDry.
int parentWater(int at) {
  int plane = params.parent_side * params.parent_side;
  return standingLevel(parent[kLayerWater * plane + at], parent[at]);
}
