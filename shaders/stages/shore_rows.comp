// Every vertex finds its side, and the nearest vertex of its row on the other side.
#include "bindings.glsl"

PARAMETERS(ShoreParams)

#include "standing.glsl"
#include "water.glsl"

bool isWater(int i) {
  int ground = height[pass.front + i];
  return params.sea_level > ground || underWater(waterAt(i), ground);
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
