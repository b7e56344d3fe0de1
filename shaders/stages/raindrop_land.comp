// Drops end: each takes its last share, and the load that it still carries is added, in grains, to
// the wash load of a vertex near its last offer. pass.argument: the number of steps;
// pass.live_first, pass.live_last: the range of vertices whose wash load is needed.
#include "bindings.glsl"

PARAMETERS(RaindropParams)

#include "standing.glsl"
#include "raindrop_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Raindrop drop = loadRaindrop(i);
  if (drop.position.x == kDeadPosition) return;
  uint load = drop.load + settledShare(drop, i);
  Job job = jobs[slotHere()];
  ivec2 to = drop.offered_at +
             washedTo(hashRaindrop(pass.seed_low ^ pass.seed_high, job.x_low + uint(columnHere()),
                                   job.y_low + uint(rowHere()), pass.argument, params));
  int x = columnHere() + to.x;
  int y = rowHere() + to.y;
  bool wanted = min(x, y) >= pass.live_first && max(x, y) <= pass.live_last;
  if (load != 0u && wanted) {
    ADD_LONG(i + to.y * pass.stride + to.x, load);
  }
}
