// Every vertex settles what it gives and takes.
#include "bindings.glsl"

PARAMETERS(CollisionSettleParams)

#include "standing.glsl"
#include "water.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int here = height[pass.front + i];
  int lowest = here;
  int highest = here;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int there = height[pass.front + i + to.y * pass.stride + to.x];
    lowest = min(lowest, there);
    highest = max(highest, there);
  }
  int level = waterAt(i);
  uint64_t both = LOAD_SUMS(i);
  Ground ground =
      settledGround(here, fraction[i], layers[inLayer(kPlaneBedrock, i)], lowest, highest, level,
                    underWater(level, here), discharge[i], uint(both), uint(both >> 32), params);
  height[backPlane() + i] = ground.height;
  fraction[i] = ground.fraction;
  layers[inLayer(kPlaneBedrock, i)] = ground.bedrock;
  rate[i] = ground.rates;
  discharge[i] = 0u;
  CLEAR_SUMS(i);
}
