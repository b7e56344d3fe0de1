// What stands too steep over a neighbour comes down half way; nothing comes down to its receiver.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int ground = height[h];
  int direction = wayDirection(rate[i]);
  int settled = ground;
  if (direction != kWayEnds) {
    int stable = ground;
    for (int other = 0; other < 8; ++other) {
      ivec2 to = neighbour(other);
      int talus = (other & 1) != 0 ? params.diagonal_talus : params.talus;
      stable = min(stable, height[h + to.y * pass.stride + to.x] + talus);
    }
    ivec2 to = neighbour(direction);
    int lowest = height[h + to.y * pass.stride + to.x] + params.descent;
    settled = max(ground - ((ground - stable) >> 1), lowest);
  }
  height[backPlane() + i] = settled;
  layers[inLayer(kPlaneUplift, i)] += settled - ground;
  layers[inLayer(kPlaneBedrock, i)] += settled - ground;
}
