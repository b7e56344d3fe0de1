// Every vertex finds its side, and the nearest of its row on the other side.
#include "bindings.glsl"

PARAMETERS(ShoreParams)

#include "standing.glsl"

bool isWater(int i) {
  int ground = height[pass.front + i];
  int water = hasLayer(params.planes, kLayerWater) ? layers[inLayer(kPlaneWater, i)] : ground;
  return isUnderWater(ground, params.sea_level, water);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  bool here = isWater(i);
  int nearest = kNoneInRow;
  for (int dx = params.radius; dx > 0; --dx) {
    if (isWater(i + dx) != here) nearest = dx;
    if (isWater(i - dx) != here) nearest = -dx;
  }
  rate[i] = packedRow(here, nearest);
}
