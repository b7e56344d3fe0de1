// Every droplet takes its share of the last step's settlement, moves, and adds its momentum and
// sediment to two corners of the cell that it reached. pass.argument: the water that is left, in
// 1/65,536; pass.before: the same of the step before.
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

  int cell = cellOf(droplet);
  Footprint foot = footprintOf(droplet);
  uint load =
      droplet.load + settledShare(droplet, foot, cell + foot.row * pass.stride, uint(pass.before));
  ivec4 corners =
      ivec4(height[pass.front + cell], height[pass.front + cell + 1],
            height[pass.front + cell + pass.stride], height[pass.front + cell + pass.stride + 1]);
  vec2 rises = riseUnder(droplet, corners, params.inverse_cell);
  vec2 steepest = kOnSphere ? onColumns(frameUnder(droplet), rises.x, rises.y) : rises;
  droplet = crossedDroplet(movedDroplet(droplet, rises, steepest, motionOf(params)));
  droplet.load = load;
  if (outsideLive(droplet)) {
    killDroplet(i);
    return;
  }
  storeDroplet(i, droplet);
  foot = footprintOf(droplet);
  int row = cellRow(droplet) + foot.row;
  int west = countedAt(droplet, cellColumn(droplet), row);
  int east = countedAt(droplet, cellColumn(droplet) + 1, row);
  uint kept = uint(pass.argument);
  ADD_SUMS(west, momentumShare(droplet, kept, foot.west_weight), loadShare(droplet, foot.west_weight));
  ADD_SUMS(east, momentumShare(droplet, kept, foot.east_weight), loadShare(droplet, foot.east_weight));
}
