// Every vertex exchanges with each neighbour what crumbles between them.
#include "bindings.glsl"

PARAMETERS(FrostParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int64_t level = int64_t(height[h]);
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), to)) continue;
    level += frostFlow(height[h], height[h + to.y * pass.stride + to.x], params);
  }
  height[backPlane() + i] = int(level);
}
