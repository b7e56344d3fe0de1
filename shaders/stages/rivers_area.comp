// Now each vertex's area is known: it becomes the flow, and what children inherit. pass.argument and pass.before: as in rivers_drain.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "packed.glsl"

// The floor and the steepness, as packedRiver: the mean of the parents around; at level 0, which has
// no parent, the world's own.
int inheritedHere(int i) {
  if (params.parent_side == 0) return layers[inLayer(kPlaneWay, i)];
  int plane = params.parent_side * params.parent_side;
  ivec4 around = kLayerWay * plane + parentsAround();
  int floor_code = 2;
  int steepness = 2;
  for (int k = 0; k < 4; ++k) {
    int river = parent[around[k]];
    floor_code += riverFloor(river);
    steepness += knownSteepness(riverSteepness(river));
  }
  return packedRiver(0, 0, floor_code >> 2, steepness >> 2);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int way = rate[i];
  int direction = wayDirection(way);
  uint counted = uint(movers[from + i]) + (pass.before == 0 ? discharge[i] : uint(flow[i]));
  bool kept = (way & kWayKept) != 0;
  uint64_t cells = chosenOf(kept ? 1 : 0, LOAD_SUMS(i), uint64_t(counted));
  int code = max(areaCode(cells), 1);
  uint most = uint(1 << 20);
  uint above = uint(cells >> 20) | uint(cells >> 40);
  flow[i] = int(above != 0u ? most : uint(cells)) << 8;
  int inherited = inheritedHere(i);
  int floor_code = riverFloor(inherited);
  if (kept) {
    // Beside a river with a floor of its own, the floors of the parents around are that river's.
    bool narrow = floorOf(code, params) < 1.0f;
    floor_code = narrow ? max(floor_code, wayFloor(way)) : wayFloor(way);
  }
  layers[inLayer(kPlaneWay, i)] =
      packedRiver(direction, code, floor_code, riverSteepness(inherited));
}
