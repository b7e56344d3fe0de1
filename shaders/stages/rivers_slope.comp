// The area of each vertex is known: it becomes the flow, what children inherit, and the rise over the
// step to the receiver. pass.argument and pass.before: as in rivers_drain.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "packed.glsl"

// Between the parents around; at level 0, where none is, what the world's own says.
int steepnessHere(int i) {
  if (params.parent_side == 0) {
    return knownSteepness(riverSteepness(layers[inLayer(kPlaneWay, i)]));
  }
  int plane = params.parent_side * params.parent_side;
  ivec4 around = kLayerWay * plane + parentsAround();
  return (knownSteepness(riverSteepness(parent[around.x])) +
          knownSteepness(riverSteepness(parent[around.y])) +
          knownSteepness(riverSteepness(parent[around.z])) +
          knownSteepness(riverSteepness(parent[around.w])) + 2) >>
         2;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int way = rate[i];
  int direction = wayDirection(way);
  uint counted = uint(movers[from + i]) + (pass.before == 0 ? discharge[i] : uint(flow[i]));
  uint64_t cells = (way & kWayKept) != 0 ? LOAD_SUMS(i) : uint64_t(counted);
  int code = max(areaCode(cells), 1);
  uint64_t most = uint64_t(uint(1 << 20));
  flow[i] = int(uint(cells < most ? cells : most)) << 8;
  int steepness = steepnessHere(i);
  layers[inLayer(kPlaneWay, i)] = packedRiver(direction, code, steepness);
  ivec2 to = direction == kWayEnds ? ivec2(0, 0) : neighbour(direction);
  int rise = direction == kWayEnds ? 0 : riseOf(direction, code, steepness, params);
  movers[pass.plane - from + i] = packedWords(uint(rise), uint(i + to.y * pass.stride + to.x));
}
