// rivers_settle in as many sweeps as the ring is wide. tileArgument: 1 if these are the stage's last; then the change of
// the ground counts as uplift, as rivers_close counts it.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "tile.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"
#include "slide.glsl"

shared int ground[kTileShared];

float aboveShared(int at, int direction) { return float(heldDifference(ground[at], ground[at + sharedStep(neighbour(direction))])); }

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
      // (The sweep is never negative. So compilers don't keep the steps of a whole strip in registers.)
      vec4 steps = kOnSphere ? stepsOf(frameOf(slotHere(), columnInWindow(), rowInWindow(k) + (sweep >> 31))) : vec4(1.0f, 1.41421356f, 1.0f, 1.41421356f);
      vec4 above = vec4(aboveShared(at, 0), aboveShared(at, 1), aboveShared(at, 2), aboveShared(at, 3));
      vec4 opposite = vec4(aboveShared(at, 4), aboveShared(at, 5), aboveShared(at, 6), aboveShared(at, 7));
      settled[k] = settledGround(here, slideExcess(above, opposite, steps, steepest[k]), slideSum(above, opposite), creep[k], ground[at + receivers[k]] + falls[k]);
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
