// Ground that is too steep over a neighbour comes down half way, and hillslopes creep towards the
// mean around them. Nothing comes down as low as its receiver.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int ground = height[h];
  int direction = wayDirection(rate[i]);
  int river = layers[inLayer(kPlaneWay, i)];
  float steepest = steepestGround(river, params);
  vec4 steps = stepsHere();
  float excess = 0.0f;
  float sum = 0.0f;
  for (int other = 0; other < 8; ++other) {
    ivec2 to = neighbour(other);
    float above = float(heldDifference(ground, height[h + to.y * pass.stride + to.x]));
    bool diagonal = (other & 1) != 0;
    excess = max(excess, above - steepest * stepOf(steps, other));
    sum += diagonal ? above : 2.0f * above;
  }
  float creep = params.creep * partOfHillslope(riverArea(river), paramsHere());
  ivec2 to = neighbour(direction);
  int receiver = to.y * pass.stride + to.x;
  int lowest = height[h + receiver] + leastFall(discharge[i], discharge[i + receiver], params);
  int settled = settledGround(ground, excess, sum, creep, lowest);
  height[backPlane() + i] = direction == kWayEnds ? ground : settled;
}
