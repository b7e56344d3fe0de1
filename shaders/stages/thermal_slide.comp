// Every vertex finds what slides from it, and where to.
#include "bindings.glsl"

PARAMETERS(ThermalParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int best = 0;
  int best_direction = 0;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int stable = (direction & 1) != 0 ? params.diagonal_talus : params.talus;
    int excess = height[h] - height[h + to.y * pass.stride + to.x] - stable;
    if (excess > best) {
      best = excess;
      best_direction = direction;
    }
  }
  rate[i] = slideOf(best, best_direction, params);
}
