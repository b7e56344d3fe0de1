// Ground that is too steep over a neighbour comes down half way, and hillslopes creep towards the
// mean around them. Nothing comes down as low as its receiver.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"
#include "slide.glsl"

float aboveNeighbour(int h, int ground, int direction) {
  ivec2 to = neighbour(direction);
  return float(heldDifference(ground, height[h + to.y * pass.stride + to.x]));
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int ground = height[h];
  int direction = wayDirection(rate[i]);
  int river = layers[inLayer(kPlaneWay, i)];
  vec4 above = vec4(aboveNeighbour(h, ground, 0), aboveNeighbour(h, ground, 1), aboveNeighbour(h, ground, 2), aboveNeighbour(h, ground, 3));
  vec4 opposite = vec4(aboveNeighbour(h, ground, 4), aboveNeighbour(h, ground, 5), aboveNeighbour(h, ground, 6), aboveNeighbour(h, ground, 7));
  float excess = slideExcess(above, opposite, stepsHere(), steepestGround(river, params));
  float sum = slideSum(above, opposite);
  float creep = params.creep * partOfHillslope(riverArea(river), paramsHere());
  ivec2 to = neighbour(direction);
  int receiver = to.y * pass.stride + to.x;
  int lowest = height[h + receiver] + leastFall(discharge[i], discharge[i + receiver], params);
  int settled = settledGround(ground, excess, sum, creep, lowest);
  height[backPlane() + i] = direction == kWayEnds ? ground : settled;
}
