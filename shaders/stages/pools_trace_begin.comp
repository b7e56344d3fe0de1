// Every vertex points to its lowest neighbour, or to itself if none is lower (a pit, or the sea).
// Vertices on the rim, pass.live_first and pass.live_last, point to themselves.
#include "bindings.glsl"

PARAMETERS(PoolsParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int x = columnHere();
  int y = rowHere();
  int down = -1;
  if (min(x, y) > pass.live_first && max(x, y) < pass.live_last) {
    int lowest = max(height[pass.front + i], params.sea_level);
    for (int direction = 0; direction < 8; ++direction) {
      ivec2 to = neighbour(direction);
      int j = i + to.y * pass.stride + to.x;
      int surface = max(height[pass.front + j], params.sea_level);
      if (surface < lowest) {
        lowest = surface;
        down = direction;
      }
    }
  }
  movers[i] = uint64_t(down < 0 ? i : followedNeighbour(down));
}
