// A snowball falls in every cell, or in a part of the cells; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "snowball_state.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  storeSnowball(i, bornSnowball(vertexHash(kDropletStream + params.stream), params));
  if (!hasCell()) killSnowball(i);
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
