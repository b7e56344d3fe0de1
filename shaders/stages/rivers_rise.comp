// The ground becomes the height at the end of the steps, plus the rise of the way from there.
// pass.argument: the plane of the sums, 0 or 1.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint64_t here = movers[pass.argument * pass.plane + i];
  int end = int(uint(here >> 32));
  int ground = height[pass.front + i];
  int foot = height[backPlane() + end];
  int risen = end == i ? foot : max(foot, params.sea_level) + int(uint(here));
  risen += int(discharge[i]);
  int river = layers[inLayer(kPlaneWay, i)];
  int area = riverArea(river);
  int floor_code = flow[i] & kFloorHere;
  flow[i] -= floor_code;
  layers[inLayer(kPlaneWay, i)] =
      packedRiver(riverDirection(river), area, floor_code, riverSteepness(river));
  // A hillslope keeps the ground that the parent has.
  float hillslope = partOfHillslope(area, paramsHere());
  if (end != i) risen -= int(hillslope * float(heldDifference(risen, ground)));
  height[pass.front + i] = risen;
  // Slides change the ground later: rivers_close adds the final ground.
  layers[inLayer(kPlaneUplift, i)] -= ground;
  layers[inLayer(kPlaneBedrock, i)] -= ground;
}
