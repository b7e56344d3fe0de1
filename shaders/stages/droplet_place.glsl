// Where a droplet is among the vertices of the windows. Included after droplet_state.glsl and ground_place.glsl.

// Its cell, in the window that it is in.
int cellColumn(Droplet droplet) { return (kOnSphere ? 0 : columnHere()) + (droplet.position.x >> 8); }
int cellRow(Droplet droplet) { return (kOnSphere ? 0 : rowHere()) + (droplet.position.y >> 8); }
// The place of the cell's north-western vertex.
int cellOf(Droplet droplet) { return placeIn(droplet.slot, cellColumn(droplet), cellRow(droplet)); }

Footprint footprintOf(Droplet droplet) {
  if (!kOnSphere) return footprint(droplet.position);
  // By the place on the face: which window shows it can't be seen.
  Job job = jobs[droplet.slot];
  return footprint(ivec2(int(uint(droplet.position.x) + (job.x_low << 8)),
                         int(uint(droplet.position.y) + (job.y_low << 8))));
}

// Whoever is outside the live cells is too far from what is settled now to come back to what is
// settled later: it moves one cell a step, the settled region shrinks by two.
bool outsideLive(Droplet droplet) {
  int column = cellColumn(droplet);
  int row = cellRow(droplet);
  return droplet.position.x == kDeadPosition || min(column, row) < pass.live_first ||
         max(column, row) > pass.live_last;
}

// Of a planet only.
Frame frameUnder(Droplet droplet) { return frameOf(droplet.slot, cellColumn(droplet), cellRow(droplet)); }

// Whether the vertex is the north-western one of a cell of its face. A plane has no others.
bool hasCell() {
  if (!kOnSphere) return true;
  Job job = jobs[slotHere()];
  return columnHere() >= job.west_edge && columnHere() < job.east_edge && rowHere() >= job.north_edge &&
         rowHere() < job.south_edge;
}

// Between a face's edges, in 1/256 of a cell.
ivec2 heldOnFace(ivec2 position, Job job) {
  return ivec2(clamp(position.x, job.west_edge * 256, job.east_edge * 256 - 1),
               clamp(position.y, job.north_edge * 256, job.south_edge * 256 - 1));
}

// A droplet that left its face goes on on the next one; dead where no window shows that. Beyond two edges there is
// nothing: there it stays beside the second one.
Droplet crossedDroplet(Droplet droplet) {
  if (!kOnSphere) return droplet;
  Job job = jobs[droplet.slot];
  ivec2 held = heldOnFace(droplet.position, job);
  if (held.x == droplet.position.x && held.y == droplet.position.y) return droplet;
  Seam seam = job.north;
  if (droplet.position.y > held.y) seam = job.south;
  if (droplet.position.x < held.x) seam = job.west;
  if (droplet.position.x > held.x) seam = job.east;
  Droplet crossed = droplet;
  if (seam.window == 0) {
    crossed.position.x = kDeadPosition;
    return crossed;
  }
  // In 1/256 of a cell too.
  seam.column *= 256;
  seam.row *= 256;
  Owner place;
  place.slot = droplet.slot;
  place.column = droplet.position.x;
  place.row = droplet.position.y;
  place.turns = 0;
  Owner beyond = overSeam(place, seam);
  crossed.slot = beyond.slot;
  crossed.position = heldOnFace(ivec2(beyond.column, beyond.row), jobs[beyond.slot]);
  crossed.direction = turnedVector(droplet.direction, beyond.turns);
  return crossed;
}

// Where it counts what a droplet adds at a vertex of its window.
int countedAt(Droplet droplet, int column, int row) {
  if (!kOnSphere) return placeIn(droplet.slot, column, row);
  Owner owner = ownerOf(droplet.slot, column, row);
  return placeIn(owner.slot, owner.column, owner.row);
}
