// Every vertex finds where its water goes: down the steepest slope of the water's surface.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int w = inLayer(kPlaneWater, i);
  int here = layers[w];
  bool dry = here - height[pass.front + i] <= 64;
  float best = 0.0f;
  int receiver = kNoReceiver;
  int sill = dry ? 0 : kSill;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int step = to.y * pass.stride + to.x;
    int there = layers[w + step];
    float fall = float(here - there) * ((direction & 1) != 0 ? 0.70710678f : 1.0f);
    if (fall > best) {
      best = fall;
      receiver = direction;
    }
    if (dry && there - height[pass.front + i + step] > 64) sill = kSill;
  }
  rate[i] = receiver + sill;
  movers[i] = uint64_t(uint(max(flow[i], 0)));
}
