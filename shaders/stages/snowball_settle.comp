// Every vertex settles what it gives to snowballs or takes from them.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "around.glsl"
#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int here = height[h];
  ivec2 around = extremesAround(h);
  vec2 rise = vec2(differenceOf(height[h + 1], height[h - 1]) * 0.5f * params.inverse_cell,
                   differenceOf(height[h + pass.stride], height[h - pass.stride]) * 0.5f * params.inverse_cell);
  float laid = laidPart(rise, ascentFrom(ivec2(0, 0), rise), params);
  uint64_t both = LOAD_SUMS(i);
  Settlement settlement = exchanged(
      here, fraction[i], uint(both), uint(both >> 32), laid,
      digRoom(here, around.x, params.limit) * params.grains_per_unit,
      layRoom(here, around.x, around.y, params.limit) * params.grains_per_unit, params.grain_bits);
  height[backPlane() + i] = settlement.height;
  fraction[i] = settlement.fraction;
  rate[i] = settlement.rate;
  CLEAR_SUMS(i);
}
