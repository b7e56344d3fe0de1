// Every vertex exchanges a part of the difference with each neighbour.
#include "bindings.glsl"

PARAMETERS(BlurParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int64_t level = int64_t(height[h]);
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), to)) continue;
    int weight = (direction & 1) != 0 ? params.diagonal : params.straight;
    level += blurFlow(height[h], height[h + to.y * pass.stride + to.x], weight);
  }
  height[backPlane() + i] = int(level);
}
