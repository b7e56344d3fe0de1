// The ground rises, over several steps of the sums: rivers_climb and rivers_rise in one walk. pass.argument: the plane of
// the sums, 0 or 1; pass.before: how many of its steps are taken.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"
#include "risen.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint rise = 0u;
  int end = i;
  for (int step = 0; step < pass.before; ++step) {
    uint64_t there = movers[pass.argument * pass.plane + end];
    rise += uint(there);
    end = int(uint(there >> 32));
  }
  raise(i, packedWords(rise, uint(end)));
}
