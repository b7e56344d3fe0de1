// The surface that filling starts from: the ground where it drains, the sea, a lake of the parent's, and
// far above everything where a pit captured the path. Bit 32 marks what stays as it is.
// pass.argument: the plane of the paths, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int ground = height[pass.front + i];
  int end = int(movers[from + i]);
  int lake = layers[inLayer(kPlaneWater, i)];
  int surface = ground;
  uint kept = 0u;
  if (ground <= params.sea_level) {
    surface = params.sea_level;
    kept = 1u;
  } else if (lake - ground > 64) {
    surface = lake;
    kept = 1u;
  } else {
    int bottom = height[pass.front + end];
    bool pit = int(movers[from + end]) == end;
    bool drowned = bottom <= params.sea_level || layers[inLayer(kPlaneWater, end)] - bottom > 64;
    if (pit && !drowned) surface = kUnfilled;
  }
  movers[pass.plane - from + i] = (uint64_t(kept) << 32) | uint64_t(uint(surface));
}
