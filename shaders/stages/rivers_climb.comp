// Rises are summed over twice as many steps. pass.argument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "packed.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  uint64_t here = movers[from + i];
  uint64_t there = movers[from + int(uint(here >> 32))];
  movers[pass.plane - from + i] = packedWords(uint(here) + uint(there), uint(there >> 32));
}
