// A snowball falls in every cell, or in a part of the cells; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "standing.glsl"
#include "snowball_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  storeSnowball(i, bornSnowball(seed, globalColumn(), globalRow(), params));
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
