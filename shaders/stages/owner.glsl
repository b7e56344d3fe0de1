// On a planet, windows reach beyond the edges of their face. A vertex's owner is its position in the window of its
// face, or of the lowest of its two or three faces. It is computed only there; other positions are copies.
struct Owner {
  int slot;
  int column;
  int row;
  // Quarter turns from vectors of the position that was asked for to vectors of the owner.
  int turns;
};

Owner overSeam(Owner at, Seam seam) {
  Owner over;
  over.slot = at.slot + seam.window;
  over.turns = (at.turns + seam.turns) & 3;
  ivec2 turned = turnedVector(ivec2(at.column, at.row), seam.turns);
  over.column = turned.x + seam.column;
  over.row = turned.y + seam.row;
  return over;
}

// Whether a lower face beyond this side has the position too, and so owns it.
bool goesOver(Job job, Seam seam, int slot) {
  return seam.window != 0 && jobs[slot + seam.window].face < job.face;
}

// The position on the lowest of the faces that share this one.
Owner lowestOf(Owner at) {
  Job job = jobs[at.slot];
  Owner lowest = at;
  int face = job.face;
  if (at.column == job.east_edge && goesOver(job, job.east, at.slot)) {
    lowest = overSeam(at, job.east);
    face = jobs[lowest.slot].face;
  }
  if (at.column == job.west_edge && goesOver(job, job.west, at.slot)) {
    lowest = overSeam(at, job.west);
    face = jobs[lowest.slot].face;
  }
  if (at.row == job.south_edge && goesOver(job, job.south, at.slot) &&
      jobs[at.slot + job.south.window].face < face) {
    lowest = overSeam(at, job.south);
    face = jobs[lowest.slot].face;
  }
  if (at.row == job.north_edge && goesOver(job, job.north, at.slot) &&
      jobs[at.slot + job.north.window].face < face) {
    lowest = overSeam(at, job.north);
  }
  return lowest;
}

// Whether a position of a window is the owner of its vertex.
bool isOwner(int slot, int column, int row) {
  if (!kOnSphere || IS_OWNED_NEIGHBOUR(slot, column, row)) return true;
  return column >= jobs[slot].west_owned && column <= jobs[slot].east_owned &&
         row >= jobs[slot].north_owned && row <= jobs[slot].south_owned;
}

// At a corner three cells meet instead of four: the vertex there has no neighbour beyond both sides, and has one
// neighbour twice, over each side. Whether this copy of a neighbour exchanges ground: only the copy over the side to the
// lower face does, which owns it.
bool isExchanging(int slot, int column, int row, ivec2 to) {
  if (!kOnSphere || OWNS_NEIGHBOURS) return true;
  Job job = jobs[slot];
  bool at_east = column == job.east_edge;
  bool at_south = row == job.south_edge;
  if ((!at_east && column != job.west_edge) || (!at_south && row != job.north_edge)) return true;
  bool over_column = to.x == (at_east ? 1 : -1);
  bool over_row = to.y == (at_south ? 1 : -1);
  if (over_column && over_row) return false;
  int face_beside = jobs[slot + (at_east ? job.east.window : job.west.window)].face;
  int face_over = jobs[slot + (at_south ? job.south.window : job.north.window)].face;
  if (over_column && to.y == 0) return face_beside < face_over;
  if (over_row && to.x == 0) return face_over < face_beside;
  return true;
}

// Nothing lies beyond two sides of a face. Such a position stands for the one on the edge of the two other faces
// that is as far from the corner as the larger of its two distances (Continued in tests/proto/geometry/continued.h).
Owner ownerOf(int slot, int column, int row) {
  Owner at;
  at.slot = slot;
  at.column = column;
  at.row = row;
  at.turns = 0;
  if (isOwner(slot, column, row)) return at;
  Job job = jobs[slot];
  int east = column < job.west_edge ? column - job.west_edge : max(column - job.east_edge, 0);
  int south = row < job.north_edge ? row - job.north_edge : max(row - job.south_edge, 0);
  if (east != 0 && south != 0) {
    int away = max(abs(east), abs(south));
    at.column = east < 0 ? job.west_edge - away : job.east_edge + away;
    at.row = south < 0 ? job.north_edge : job.south_edge;
    south = 0;
  }
  if (east > 0) at = overSeam(at, job.east);
  if (east < 0) at = overSeam(at, job.west);
  if (south > 0) at = overSeam(at, job.south);
  if (south < 0) at = overSeam(at, job.north);
  at = lowestOf(at);
  // Far from the block a face may have the position, and its window not. Then any vertex on the window's rim stands for
  // it: neither can reach the result, but both must be vertices.
  at.column = clamp(at.column, 0, pass.stride - 1);
  at.row = clamp(at.row, 0, pass.stride - 1);
  return at;
}
