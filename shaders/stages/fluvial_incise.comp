// Every vertex loses height to its river or its slope. pass.argument: the plane of the drainage, 0
// or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int receiver = rate[i];
  int ground = height[h];
  int lost = 0;
  if (receiver < kNoReceiver) {
    ivec2 to = neighbour(receiver);
    int drop = ground - height[h + to.y * pass.stride + to.x];
    int passed = int(uint(movers[pass.argument * pass.plane + i]));
    int left = max(ground - start[i] + params.depth, 0);
    lost = min(incision(drop, passed, (receiver & 1) != 0, params), left);
  }
  height[backPlane() + i] = ground - lost;
  layers[inLayer(kPlaneWashLoad, i)] += lost;
}
