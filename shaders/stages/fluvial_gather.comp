// Drainage moves one cell down, and ground is carved to the height of what drains to it: where
// surfaces were filled, the way out of the depression. pass.argument: the drainage's plane that is
// read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int receiver = rate[i];
  int ground = height[pass.front + i];
  int carved = ground;
  uint64_t sum = uint64_t(uint(params.background_flow));
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int step = to.y * pass.stride + to.x;
    int donor = rate[i + step];
    if ((donor & 15) == ((direction + 4) & 7)) {
      sum += movers[from + i + step];
      if (donor < kSill) carved = min(carved, height[pass.front + i + step]);
    }
  }
  carved = receiver >= kSill ? ground : max(carved, min(ground, start[i] - params.depth));
  movers[pass.plane - from + i] = min(sum, uint64_t(kMostFlow));
  height[backPlane() + i] = carved;
  layers[inLayer(kPlaneWashLoad, i)] += ground - carved;
}
