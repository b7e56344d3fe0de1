// Shallow pools silt up; what is deeper is water, if there are lakes.
// pass.argument: the surfaces' plane, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint64_t here = movers[pass.argument * pass.plane + i];
  int ground = height[pass.front + i];
  int surface = surfaceOf(here);
  surface = surface >= kUnfilled ? ground : heldHeight(surface);
  if (!isKept(here) && surface - ground <= params.silt) {
    height[pass.front + i] = surface;
    layers[inLayer(kPlaneWashLoad, i)] -= surface - ground;
  }
  if (params.lakes != 0) {
    layers[inLayer(kPlaneWater, i)] = standingLevel(surface, height[pass.front + i]);
  }
}
