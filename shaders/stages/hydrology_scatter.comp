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
  if (outsidePass()) return;
  int i = vertexHere();
  Droplet droplet = loadDroplet(i);
  if (droplet.position.x == kDeadPosition) return;

  int cell = i + (droplet.position.y >> 8) * pass.stride + (droplet.position.x >> 8);
  Footprint foot = footprint(droplet.position);
  uint load = droplet.load + settledShare(droplet, foot, cell + foot.row * pass.stride, 65536u);
  ivec4 corners = ivec4(surfaceAt(cell), surfaceAt(cell + 1), surfaceAt(cell + pass.stride),
                        surfaceAt(cell + pass.stride + 1));
  int nearest =
      cell + ((droplet.position.x >> 7) & 1) + ((droplet.position.y >> 7) & 1) * pass.stride;
  bool wet = underWater(waterAt(nearest), height[pass.front + nearest]);
  droplet = streamedDroplet(droplet, corners, wet, streamStrength(flow[nearest], params), params);
  droplet.load = load;

  if (outsideLive(droplet)) {
    killDroplet(i);
    return;
  }
  storeDroplet(i, droplet);
  foot = footprint(droplet.position);
  int o = i + ((droplet.position.y >> 8) + foot.row) * pass.stride + (droplet.position.x >> 8);
  ADD_SUMS(o, momentumShare(droplet, 65536u, foot.west_weight),
           loadShare(droplet, foot.west_weight));
  ADD_SUMS(o + 1, momentumShare(droplet, 65536u, foot.east_weight),
           loadShare(droplet, foot.east_weight));
}
