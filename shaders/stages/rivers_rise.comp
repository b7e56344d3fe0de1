// The height at the end of the steps down, and what the way from there rises by, become the ground.
// pass.argument: the plane of the sums, 0 or 1.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint64_t here = movers[pass.argument * pass.plane + i];
  int end = int(uint(here >> 32));
  int ground = height[pass.front + i];
  int foot = height[backPlane() + end];
  int risen = end == i ? foot : max(foot, params.sea_level) + int(uint(here));
  int change = risen - ground;
  height[pass.front + i] = risen;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
}
