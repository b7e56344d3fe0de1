// The stage's change of the ground counts as uplift; rivers_rise has subtracted the old ground.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int ground = height[pass.front + i];
  layers[inLayer(kPlaneUplift, i)] += ground;
  layers[inLayer(kPlaneBedrock, i)] += ground;
}
