// Drops end: each takes its last share, and the load that it still carries is added, in grains, to
// the wash load of a vertex near its last offer. pass.argument: the number of steps;
// pass.live_first, pass.live_last: the range of vertices whose wash load is needed.
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
  uint load = drop.load + settledShare(drop);
  ivec2 to = drop.offered_at + washedTo(dropHash(pass.argument));
  if (load != 0u && isLive(to)) {
    ADD_LONG(placeFrom(to), load);
  }
}
