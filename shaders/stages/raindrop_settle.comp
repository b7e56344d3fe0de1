// Every vertex settles what it gives to drops or takes from them.
#include "bindings.glsl"

PARAMETERS(RaindropParams)

#include "around.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int here = height[h];
  ivec2 around = extremesAround(h);
  uint64_t both = LOAD_SUMS(i);
  Settlement settlement = exchanged(
      here, fraction[i], uint(both), uint(both >> 32), 1.0f,
      digRoom(here, around.x, params.limit) * params.grains_per_unit,
      layRoom(here, around.x, around.y, params.limit) * params.grains_per_unit, params.grain_bits);
  height[backPlane() + i] = settlement.height;
  fraction[i] = settlement.fraction;
  rate[i] = settlement.rate;
  CLEAR_SUMS(i);
}
