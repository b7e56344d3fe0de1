// The ground rises. pass.argument: the plane of the sums, 0 or 1.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"
#include "risen.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  raise(i, movers[pass.argument * pass.plane + i]);
}
