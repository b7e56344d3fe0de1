// Every vertex loses height to its river, or because its slope is too steep. pass.argument: the
// plane of the drainage, 0 or 1.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"
#include "ground_place.glsl"

// The drop from this ground to the neighbour in a direction.
float dropTo(int direction, int ground) {
  ivec2 to = neighbour(direction);
  int there = vertexHere() + to.y * pass.stride + to.x;
  return fallOnSquare(differenceOf(ground, height[pass.front + there]), direction, stepsHere());
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int way = rate[i];
  int ground = height[pass.front + i];
  int lost = 0;
  if ((way & (kNoWay | kSill)) == 0) {
    int passed = int(uint(movers[pass.argument * pass.plane + i]));
    int left = max(ground - start[i] + params.depth, 0);
    lost = min(incision(way, dropTo(firstOf(way), ground), dropTo(secondOf(way), ground), passed,
                        params),
               left);
  }
  height[backPlane() + i] = ground - lost;
  layers[inLayer(kPlaneWashLoad, i)] += lost;
}
