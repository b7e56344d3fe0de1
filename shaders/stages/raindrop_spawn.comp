// A drop falls on every vertex; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(RaindropParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "raindrop_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Raindrop drop;
  drop.position = ivec2(0, 0);
  drop.offered_at = ivec2(0, 0);
  drop.lays = false;
  drop.offer = 0u;
  drop.load = 0u;
  storeRaindrop(i, drop);
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
