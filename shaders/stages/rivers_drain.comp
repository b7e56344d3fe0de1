// Counts the cells that drain to each vertex, over twice as many steps as before. Each vertex passes
// its count to the vertex at the end of its steps, and doubles its steps. pass.argument: the plane
// that is read, 0 or 1; pass.before: which of two counters the last pass added to.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "packed.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  uint64_t here = movers[from + i];
  int end = int(uint(here >> 32));
  uint cells = uint(here);
  if (pass.before == 0) {
    cells += discharge[i];
    discharge[i] = 0u;
    if (end != i) atomicAdd(flow[end], int(cells));
  } else {
    cells += uint(flow[i]);
    flow[i] = 0;
    if (end != i) atomicAdd(discharge[end], cells);
  }
  movers[pass.plane - from + i] = packedWords(cells, uint(movers[from + end] >> 32));
}
