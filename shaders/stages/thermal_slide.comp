// Every vertex finds how much slides from it, and where to.
#include "bindings.glsl"

PARAMETERS(ThermalParams)

#include "standing.glsl"
#include "ground_place.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  vec4 steps = stepsHere();
  int best = 0;
  int best_direction = 0;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), to)) continue;
    int stable = (direction & 1) != 0 ? params.diagonal_talus : params.talus;
    if (kOnSphere) stable = int(float(params.talus) * stepOf(steps, direction));
    int excess = lowestAtRest(height[h], stable) - height[h + to.y * pass.stride + to.x];
    if (excess > best) {
      best = excess;
      best_direction = direction;
    }
  }
  rate[i] = slideOf(best, best_direction, params);
}
