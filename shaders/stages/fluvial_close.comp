// Drainage becomes the flow; dry ground takes its water surface along. pass.argument: the drainage's
// plane, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  flow[i] = int(uint(movers[pass.argument * pass.plane + i]));
  int w = inLayer(kPlaneWater, i);
  // What was dry before it was carved is dry now.
  if (rate[i] < kNoReceiver) layers[w] = height[pass.front + i];
}
