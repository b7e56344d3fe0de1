// rivers_settle in as many sweeps as the ring is wide. tileArgument: 1 if these are the stage's last; then the change of
// the ground counts as uplift, as rivers_close counts it.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "tile.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"

shared int ground[kTileShared];

void main() {
  // The step to the receiver in shared memory, and how far above the receiver the vertex stays.
  int receivers[kTileStrip];
  int falls[kTileStrip];
  float steepest[kTileStrip];
  float creep[kTileStrip];
  for (int k = 0; k < kTileStrip; ++k) {
    int i = placeInTile(k);
    int river = layers[inLayer(kPlaneWay, i)];
    ground[sharedAt(k)] = height[pass.front + i];
    steepest[k] = steepestGround(river, params);
    creep[k] = params.creep * partOfHillslope(riverArea(river), paramsAt(columnInWindow(), rowInWindow(k)));
    int direction = wayDirection(rate[i]);
    ivec2 to = neighbour(direction);
    receivers[k] = sharedStep(to);
    // Beside the window there may be no receiver, and nothing is written. Where a way ends, the ground stays.
    int below = clamp(i + to.y * pass.stride + to.x, 0, pass.plane - 1);
    falls[k] = direction == kWayEnds ? 0 : leastFall(discharge[i], discharge[below], params);
  }
  for (int sweep = 0; sweep < tileRing(); ++sweep) {
    barrier();
    int settled[kTileStrip];
    for (int k = 0; k < kTileStrip; ++k) {
      int at = sharedAt(k);
      int here = ground[at];
      vec4 steps = kOnSphere ? stepsOf(frameOf(slotHere(), columnInWindow(), rowInWindow(k))) : vec4(1.0f, 1.41421356f, 1.0f, 1.41421356f);
      float excess = 0.0f;
      float sum = 0.0f;
      for (int other = 0; other < 8; ++other) {
        float above = float(heldDifference(here, ground[at + sharedStep(neighbour(other))]));
        excess = max(excess, above - steepest[k] * stepOf(steps, other));
        sum += (other & 1) != 0 ? above : 2.0f * above;
      }
      settled[k] = settledGround(here, excess, sum, creep[k], ground[at + receivers[k]] + falls[k]);
    }
    barrier();
    for (int k = 0; k < kTileStrip; ++k) ground[sharedAt(k)] = settled[k];
  }
  for (int k = 0; k < kTileStrip; ++k) {
    if (!isWritten(k)) continue;
    int i = placeInTile(k);
    int settled = ground[sharedAt(k)];
    height[backPlane() + i] = settled;
    layers[inLayer(kPlaneUplift, i)] += tileArgument() * settled;
    layers[inLayer(kPlaneBedrock, i)] += tileArgument() * settled;
  }
}
