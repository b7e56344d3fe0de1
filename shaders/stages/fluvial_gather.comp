// Drainage moves one cell down its way. Ground is carved until it is lower than the vertices whose
// first receiver it is: where surfaces were filled, this is the way out of the depression.
// pass.argument: the plane of the drainage that is read, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"
#include "ground_place.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int ground = height[pass.front + i];
  int carved = ground;
  uint sum = uint(params.background_flow);
  if (kOnSphere) sum = uint(int(float(params.background_flow) * areaOf(frameHere())));
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), to)) continue;
    int there = i + to.y * pass.stride + to.x;
    int way = rate[there];
    int back = (direction + 4) & 7;
    // Eight times the maximum is less than 2^32.
    sum += drainageTo(back, way, uint(movers[from + there]));
    bool leads_here = (way & (kNoWay | kSill)) == 0 && firstOf(way) == back;
    if (leads_here) carved = min(carved, height[pass.front + there] - params.descent);
  }
  bool holds = (rate[i] & kSill) != 0;
  carved = holds ? ground : heldHeight(max(carved, min(ground, start[i] - params.depth)));
  movers[pass.plane - from + i] = uint64_t(min(sum, uint(kMaxFlow)));
  height[backPlane() + i] = carved;
  layers[inLayer(kPlaneWashLoad, i)] += ground - carved;
}
