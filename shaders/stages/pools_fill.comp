// Surfaces sink to where they spill. pass.argument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int at = from + i;
  int lowest = kUnfilled;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    lowest = min(lowest, int(uint(movers[at + to.y * pass.stride + to.x])));
  }
  uint64_t here = movers[at];
  int surface = int(uint(here));
  uint kept = uint(here >> 32);
  if (kept == 0u) surface = relaxedSurface(height[pass.front + i], surface, lowest);
  movers[pass.plane - from + i] = (uint64_t(kept) << 32) | uint64_t(uint(surface));
}
