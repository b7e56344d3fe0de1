// The drainage becomes the flow. pass.argument: the drainage's plane, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  flow[i] = int(uint(movers[pass.argument * pass.plane + i]));
}
