// Every vertex loses what slides from it and gains what slides to it.
#include "bindings.glsl"

PARAMETERS(ThermalParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int change = -slideAmount(rate[i]);
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 from = neighbour(direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), from)) continue;
    int slide = rate[i + from.y * pass.stride + from.x];
    change += slideDirection(slide) == ((direction + 4) & 7) ? slideAmount(slide) : 0;
  }
  // Eight neighbours may slide onto one vertex.
  height[pass.front + i] = heldHeight(height[pass.front + i] + change);
}
