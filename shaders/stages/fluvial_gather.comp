// Drainage moves one cell down. pass.argument: the plane that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  uint64_t sum = uint64_t(uint(params.background_flow));
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int step = to.y * pass.stride + to.x;
    if ((rate[i + step] & 15) == ((direction + 4) & 7)) sum += movers[from + i + step];
  }
  movers[pass.plane - from + i] = min(sum, uint64_t(kMostFlow));
}
