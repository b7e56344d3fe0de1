// The surface that filling starts from: the ground where it drains, the sea, a lake of the parent,
// or kUnfilled where a pit captured the path. pass.argument: the plane of the paths, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"
#include "water.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int end = int(movers[from + i]);
  int water = standingWater(i);
  bool captured = int(movers[from + end]) == end && standingWater(end) == kDry;
  int dry_surface = captured ? kUnfilled : height[pass.front + i];
  movers[pass.plane - from + i] =
      packedSurface(water != kDry ? water : dry_surface, water != kDry,
                    surfaceStep(vertexHash(params.stream), params.step, params.roughness));
}
