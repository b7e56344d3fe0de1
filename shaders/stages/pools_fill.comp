// Surfaces sink to where they spill. pass.argument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int at = from + i;
  uint64_t here = movers[at];
  int straight = int(stepOf(here));
  int diagonal = straight + (straight >> 1);
  int lowest = kUnfilled;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int there = surfaceOf(movers[at + to.y * pass.stride + to.x]);
    lowest = min(lowest, there + ((direction & 1) != 0 ? diagonal : straight));
  }
  int surface = relaxedSurface(height[pass.front + i], surfaceOf(here), lowest);
  movers[pass.plane - from + i] = isKept(here) ? here : packedSurface(surface, false, stepOf(here));
}
