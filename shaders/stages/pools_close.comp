// Shallow pools silt up; what is deeper is water. pass.argument: the surfaces' plane, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint64_t here = movers[pass.argument * pass.plane + i];
  int surface = int(uint(here));
  int ground = height[pass.front + i];
  if (surface >= kUnfilled) surface = ground;
  if (uint(here >> 32) == 0u && surface - ground <= params.silt) {
    height[pass.front + i] = surface;
    layers[inLayer(kPlaneWashLoad, i)] -= surface - ground;
  }
  layers[inLayer(kPlaneWater, i)] = surface;
}
