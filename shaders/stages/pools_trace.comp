// Every vertex points twice as far down its path. pass.argument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int to = pass.plane - from;
  movers[to + i] = movers[from + int(movers[from + i])];
}
