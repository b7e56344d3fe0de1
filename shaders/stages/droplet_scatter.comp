// Every droplet takes its share of the last step's settlement, moves, and adds its momentum and
// sediment to two corners of the cell that it reached. pass.argument: water that is left, of
// 65,536; pass.before: what was left a step before.
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
  uint load =
      droplet.load + settledShare(droplet, foot, cell + foot.row * pass.stride, uint(pass.before));
  ivec4 corners =
      ivec4(height[pass.front + cell], height[pass.front + cell + 1],
            height[pass.front + cell + pass.stride], height[pass.front + cell + pass.stride + 1]);
  droplet = movedDroplet(droplet, corners, motionOf(params));
  droplet.load = load;

  // Whoever is outside the live cells is too far from what is settled now to come back to what is
  // settled later: it moves one cell a step, the settled region shrinks by two.
  int cell_x = columnHere() + (droplet.position.x >> 8);
  int cell_y = rowHere() + (droplet.position.y >> 8);
  if (min(cell_x, cell_y) < pass.live_first || max(cell_x, cell_y) > pass.live_last) {
    movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
    return;
  }
  storeDroplet(i, droplet);
  foot = footprint(droplet.position);
  int o = i + ((droplet.position.y >> 8) + foot.row) * pass.stride + (droplet.position.x >> 8);
  uint kept = uint(pass.argument);
  ADD_SUMS(o, momentumShare(droplet, kept, foot.west_weight), loadShare(droplet, foot.west_weight));
  ADD_SUMS(o + 1, momentumShare(droplet, kept, foot.east_weight),
           loadShare(droplet, foot.east_weight));
}
