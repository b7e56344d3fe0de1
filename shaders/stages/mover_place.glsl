// Where a mover is that counts its place from the vertex beside which it fell, in the axes of that vertex's face. Beyond
// an edge the face's lattice goes on: each vertex there is one of the next face, turned by quarters. Included after
// ground_place.glsl.

// The index of the owner of a vertex, `cells` away from this invocation's.
int placeFrom(ivec2 cells) { return ownedPlace(columnHere() + cells.x, rowHere() + cells.y); }

// The cell of a position in 1/256 of a cell.
ivec2 cellUnder(ivec2 position) { return ivec2(position.x >> 8, position.y >> 8); }

// A cell's corners, x fastest.
ivec4 cornersFrom(ivec2 cells) {
  return ivec4(placeFrom(cells), placeFrom(cells + ivec2(1, 0)), placeFrom(cells + ivec2(0, 1)),
               placeFrom(cells + ivec2(1, 1)));
}

// The two vertices under a mover, the western one first.
ivec2 placesUnder(Footprint foot, ivec2 position) {
  ivec2 west = cellUnder(position) + ivec2(0, foot.row);
  return ivec2(placeFrom(west), placeFrom(west + ivec2(1, 0)));
}

// Whether a mover so far from this invocation's vertex can still influence the result: false only if it can't. Beyond
// an edge the place in the owner's window counts. There the vertex that names a mover's cell may be another of its
// corners.
bool isLive(ivec2 cells) {
  int column = columnHere() + cells.x;
  int row = rowHere() + cells.y;
  int slack = 0;
  if (kOnSphere) {
    Owner owner = ownerOf(slotHere(), column, row);
    column = owner.column;
    row = owner.row;
    slack = owner.slot == slotHere() ? 0 : 1;
  }
  return min(column, row) >= pass.live_first - slack && max(column, row) <= pass.live_last + slack;
}

// The steps of cells there, in the axes of this invocation's face. Only for a planet.
Frame frameFrom(ivec2 cells) {
  Owner owner = ownerOf(slotHere(), columnHere() + cells.x, rowHere() + cells.y);
  return turnedFrame(frameOf(owner.slot, owner.column, owner.row), owner.turns);
}

// The steepest ascent in columns and rows, from the rises by column and by row.
vec2 ascentFrom(ivec2 cells, vec2 rises) {
  if (!kOnSphere) return rises;
  return onColumns(frameFrom(cells), rises.x, rises.y);
}

// The lengths of steps there; see stepsHere.
vec4 stepsFrom(ivec2 cells) {
  if (!kOnSphere) return stepsHere();
  return stepsOf(frameFrom(cells));
}
