// Plants spawn, spread and die. pass.argument: the plane that is read, 0 or 1; pass.before: the
// iteration.
#include "bindings.glsl"

PARAMETERS(VegetationParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  int at = from + i;
  int densest = 0;
  int sum = 0;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    int there = int(uint(movers[at + to.y * pass.stride + to.x]));
    densest = max(densest, there);
    sum += there;
  }
  uint64_t here = movers[at];
  uint packed = uint(here >> 32);
  Habitat habitat;
  habitat.most = int(packed >> 1);
  habitat.fertile = (packed & 1u) != 0u;
  uint chance = vertexHash(plantStream(pass.before, params));
  int density = grown(int(uint(here)), habitat, densest, sum, chance, params);
  movers[pass.plane - from + i] = (uint64_t(packed) << 32) | uint64_t(uint(density));
}
