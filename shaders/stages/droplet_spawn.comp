// One droplet falls in every cell; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "droplet_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  storeDroplet(i, bornDroplet(seed, globalColumn(), globalRow(), flow[i], params));
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
