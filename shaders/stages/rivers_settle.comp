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
  // The loose ground that fills a valley is never as steep as rock.
  float part = riverFloor(river) == 0 ? 1.0f : floorDistance(riverFloor(river));
  float steepest = params.repose * clamp(1.3f * part, kMinRepose, 1.0f);
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
  float hillslope = partOfHillslope(riverArea(river), paramsHere());
  float crept = params.creep * hillslope * sum * 0.083333333f;
  // Children subtract what was added for the mean relief; beds must fall after that too.
  ivec2 to = neighbour(direction);
  int receiver = to.y * pass.stride + to.x;
  int added = max(int(discharge[i]) - int(discharge[i + receiver]), 0);
  int lowest = height[h + receiver] + params.descent + added;
  int settled = max(ground - int(max(0.5f * excess, crept)), lowest);
  height[backPlane() + i] = direction == kWayEnds ? ground : settled;
}
