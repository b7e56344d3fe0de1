// Every droplet takes its share of the last step's settlement, moves over ground and water, and
// adds its momentum and sediment to two corners of the cell that it reached.
#include "bindings.glsl"

PARAMETERS(HydrologyMoveParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "droplet_state.glsl"
#include "droplet_place.glsl"
#include "water.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  Droplet droplet = loadDroplet(i);
  if (droplet.position.x == kDeadPosition) return;

  int cell = cellOf(droplet);
  Footprint foot = footprintOf(droplet);
  uint load = droplet.load + settledShare(droplet, foot, cell + foot.row * pass.stride, 65536u);
  ivec4 corners = ivec4(surfaceAt(cell), surfaceAt(cell + 1), surfaceAt(cell + pass.stride),
                        surfaceAt(cell + pass.stride + 1));
  int nearest =
      cell + ((droplet.position.x >> 7) & 1) + ((droplet.position.y >> 7) & 1) * pass.stride;
  bool wet = underWater(waterAt(nearest), height[pass.front + nearest]);
  vec2 rise = surfaceRise(droplet, corners, wet, params);
  vec2 steepest = kOnSphere ? onColumns(frameUnder(droplet), rise.x, rise.y) : rise;
  droplet = crossedDroplet(
      streamedDroplet(droplet, rise, steepest, wet, streamStrength(flow[nearest], params), params));
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
  ADD_SUMS(west, momentumShare(droplet, 65536u, foot.west_weight), loadShare(droplet, foot.west_weight));
  ADD_SUMS(east, momentumShare(droplet, 65536u, foot.east_weight), loadShare(droplet, foot.east_weight));
}
