// Every vertex settles what it gives or takes, and counts the water that passed it.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "standing.glsl"
#include "ground_place.glsl"

DropletBed bedHere() { return kOnSphere ? onCells(bedOf(params), frameHere()) : bedOf(params); }

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int north = h - pass.stride;
  int south = h + pass.stride;
  int a = height[north - 1];
  int b = height[north];
  int c = height[north + 1];
  int d = height[h - 1];
  int here = height[h];
  int e = height[h + 1];
  int f = height[south - 1];
  int g = height[south];
  int k = height[south + 1];
  int lowest = min(min(min(a, b), min(c, d)), min(min(e, f), min(g, min(k, here))));
  int highest = max(max(max(a, b), max(c, d)), max(max(e, f), max(g, max(k, here))));
  uint64_t both = LOAD_SUMS(i);
  uint momentum = uint(both);
  uint parcels = uint(both >> 32);
  Settlement settlement =
      settle(here, fraction[i], lowest, highest, momentum, parcels, bedHere());
  height[backPlane() + i] = settlement.height;
  fraction[i] = settlement.fraction;
  rate[i] = settlement.rate;
  discharge[i] += momentum >> 3;
  CLEAR_SUMS(i);
}
