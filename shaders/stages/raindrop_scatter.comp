// Every drop takes its share of the last step's settlement, finds its way down, offers to dig where
// it leaves or to lay down where it arrives, and goes there. pass.argument: the step.
#include "bindings.glsl"

PARAMETERS(RaindropParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "raindrop_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Raindrop drop = loadRaindrop(i);
  if (drop.position.x == kDeadPosition) return;

  drop.load += settledShare(drop);
  // A drop outside the live vertices can't influence the result any more.
  if (!isLive(drop.position)) {
    movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
    return;
  }
  uint chance = dropHash(pass.argument);
  int here = placeFrom(drop.position);
  vec4 steps = stepsFrom(drop.position);
  float best = 0.0f;
  float fall = 0.0f;
  int way = 0;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    float down = differenceOf(height[pass.front + here], height[pass.front + placeFrom(drop.position + to)]);
    down = fallOnSquare(down, direction, steps);
    float weighed = down * wayWeight(chance, direction, params);
    if (weighed > best) {
      best = weighed;
      fall = down;
      way = direction;
    }
  }
  drop = offeringRaindrop(drop, fall, (way & 1) != 0, params);
  drop.offered_at = drop.position;
  if (fall > 0.0f) drop.position += neighbour(way);
  if (drop.lays) drop.offered_at = drop.position;
  storeRaindrop(i, drop);

  int o = placeFrom(drop.offered_at);
  ADD_SUMS(o, drop.lays ? 0u : drop.offer, drop.lays ? drop.offer : 0u);
  atomicAdd(discharge[here], kTrafficPerMover);
}
