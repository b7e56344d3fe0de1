// Droplets end: they take their last share, and what they still carry is added, in grains, to the wash
// load of the vertex north-west of them. pass.argument: water that is left, of 65,536.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "droplet_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Droplet droplet = loadDroplet(i);
  if (droplet.position.x == kDeadPosition) return;
  int cell = i + (droplet.position.y >> 8) * pass.stride + (droplet.position.x >> 8);
  Footprint foot = footprint(droplet.position);
  uint load = droplet.load +
              settledShare(droplet, foot, cell + foot.row * pass.stride, uint(pass.argument));
  if (load != 0u) {
    ADD_LONG(cell, load);
  }
}
