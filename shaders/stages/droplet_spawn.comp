// A droplet falls in every cell, or in a part of the cells; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "droplet_state.glsl"
#include "droplet_place.glsl"

Droplet rained(Droplet droplet) {
  if (!kOnSphere || droplet.position.x == kDeadPosition) return droplet;
  Droplet placed = onCells(droplet, frameHere());
  placed.slot = slotHere();
  placed.position = ivec2(columnHere() * 256 + droplet.position.x, rowHere() * 256 + droplet.position.y);
  return placed;
}

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
  Droplet droplet = bornDroplet(vertexHash(kDropletStream + params.stream), flow[i], params);
  if (hasCell() && droplet.position.x != kDeadPosition) {
    storeDroplet(i, rained(droplet));
  } else {
    killDroplet(i);
  }
}
