// Every drop takes its share of the last step's settlement, finds its way down, offers to dig where
// it leaves or to lay down where it arrives, and goes there. pass.argument: the step.
#include "bindings.glsl"

PARAMETERS(RaindropParams)

#include "standing.glsl"
#include "raindrop_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Raindrop drop = loadRaindrop(i);
  if (drop.position.x == kDeadPosition) return;

  drop.load += settledShare(drop, i);
  // A drop outside the live vertices can't influence the result any more.
  int x = columnHere() + drop.position.x;
  int y = rowHere() + drop.position.y;
  if (min(x, y) < pass.live_first || max(x, y) > pass.live_last) {
    movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
    return;
  }
  Job job = jobs[slotHere()];
  uint chance = hashRaindrop(pass.seed_low ^ pass.seed_high, job.x_low + uint(columnHere()),
                             job.y_low + uint(rowHere()), pass.argument, params);
  int here = i + drop.position.y * pass.stride + drop.position.x;
  float best = 0.0f;
  float fall = 0.0f;
  int way = 0;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    float down = differenceOf(height[pass.front + here],
                              height[pass.front + here + to.y * pass.stride + to.x]);
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

  int o = i + drop.offered_at.y * pass.stride + drop.offered_at.x;
  ADD_SUMS(o, drop.lays ? 0u : drop.offer, drop.lays ? drop.offer : 0u);
  atomicAdd(discharge[here], kTrafficPerMover);
}
