// What the stage made of the ground is uplift. What it was before is taken off by rivers_rise.
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
