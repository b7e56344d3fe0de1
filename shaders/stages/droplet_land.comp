// Droplets end: each takes its last share, and the load that it still carries is added, in grains, to
// the wash load of the vertex north-west of it. pass.argument: the water that is left, in 1/65,536.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "droplet_state.glsl"
#include "droplet_place.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  Droplet droplet = loadDroplet(i);
  if (droplet.position.x == kDeadPosition) return;
  Footprint foot = footprintOf(droplet);
  uint load = droplet.load + settledShare(droplet, foot, cellOf(droplet) + foot.row * pass.stride,
                                          uint(pass.argument));
  if (load != 0u) {
    ADD_LONG(countedAt(droplet, cellColumn(droplet), cellRow(droplet)), load);
  }
}
