// A droplet's position among the windows' vertices. Included after droplet_state.glsl and ground_place.glsl.

// A droplet's cell, in its window.
int cellColumn(Droplet droplet) { return (kOnSphere ? 0 : columnHere()) + (droplet.position.x >> 8); }
int cellRow(Droplet droplet) { return (kOnSphere ? 0 : rowHere()) + (droplet.position.y >> 8); }
// The index of the north-western vertex of a droplet's cell.
int cellOf(Droplet droplet) { return placeIn(droplet.slot, cellColumn(droplet), cellRow(droplet)); }

Footprint footprintOf(Droplet droplet) {
  if (!kOnSphere) return footprint(droplet.position);
  // Taken from the position on the face, so that the result does not depend on the window.
  Job job = jobs[droplet.slot];
  return footprint(ivec2(int(uint(droplet.position.x) + (job.x_low << 8)),
                         int(uint(droplet.position.y) + (job.y_low << 8))));
}

// A droplet outside the live cells can't influence the result any more: it moves one cell a step,
// and the settled region shrinks by two.
bool outsideLive(Droplet droplet) {
  int column = cellColumn(droplet);
  int row = cellRow(droplet);
  return droplet.position.x == kDeadPosition || min(column, row) < pass.live_first ||
         max(column, row) > pass.live_last;
}

// Only for a planet.
Frame frameUnder(Droplet droplet) { return frameOf(droplet.slot, cellColumn(droplet), cellRow(droplet)); }

// Clamps a position to a face, in 1/256 of a cell.
ivec2 heldOnFace(ivec2 position, Job job) {
  return ivec2(clamp(position.x, job.west_edge * 256, job.east_edge * 256 - 1),
               clamp(position.y, job.north_edge * 256, job.south_edge * 256 - 1));
}

// A droplet that left its face continues on the next face, or dies if no window shows that face. Nothing lies
// beyond two edges: there it stays beside the second edge.
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
  // Seams in 1/256 of a cell, like positions.
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

// The index of the vertex that counts what a droplet adds at a vertex of its window: its owner's.
int countedAt(Droplet droplet, int column, int row) {
  if (!kOnSphere) return placeIn(droplet.slot, column, row);
  Owner owner = ownerOf(droplet.slot, column, row);
  return placeIn(owner.slot, owner.column, owner.row);
}
