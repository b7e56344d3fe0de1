// The plants become the layer. pass.argument: their plane, 0 or 1.
#include "bindings.glsl"

PARAMETERS(VegetationParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  layers[inLayer(kPlaneVegetation, i)] = int(uint(movers[pass.argument * pass.plane + i]));
}
