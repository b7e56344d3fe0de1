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
  int river = layers[inLayer(kPlaneWay, i)];
  int area = riverArea(river);
  int relief = end != i ? meanRelief(riseOf(0, area, riverSteepness(river), params)) : 0;
  risen += relief;
  discharge[i] = uint(relief);
  // Of a hillslope the ground that the parent has is left.
  float hillslope = partOfHillslope(area, params);
  if (end != i) risen -= int(hillslope * float(heldDifference(risen, ground)));
  int change = risen - ground;
  height[pass.front + i] = risen;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
}
