// Every vertex finds where its water goes: down the steepest triangle of the filled surface around it. Ground under
// water, and the sill that holds the water, is marked. Pools are silted up. pass.argument: the surfaces' plane, 0 or 1;
// the other plane gets the drainage.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"
#include "ground_place.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int at = pass.argument * pass.plane + i;
  int here = surfaceOf(movers[at]);
  bool holds = isKept(movers[at]);
  uint chance = vertexHash(params.stream);
  vec4 steps = stepsHere();
  float falls[8];
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    uint64_t there = movers[at + to.y * pass.stride + to.x];
    falls[direction] = fallOnSquare(differenceOf(here, surfaceOf(there)), direction, steps) * wayWeight(chance, direction);
    if (!isExchanging(slotHere(), columnHere(), rowHere(), to)) falls[direction] = kNoFall;
    holds = holds || (isKept(there) && surfaceOf(there) != params.sea_level);
  }
  float steepest = 0.0f;
  int way = kNoWay;
  for (int triangle = 0; triangle < 8; ++triangle) {
    // Two triangles lie beside each straight neighbour.
    int straight = ((triangle + 1) & 6);
    int diagonal = triangle | 1;
    Descent descent = descentBetween(falls[straight], falls[diagonal]);
    if (descent.slope2 > steepest) {
      steepest = descent.slope2;
      way = wayBetween(straight, diagonal, descent.share);
    }
  }
  // Where filling found no outlet, water goes nowhere.
  if (here >= kUnfilled) way = kNoWay;
  // Pools silt up, as far as params.silt allows.
  int ground = height[pass.front + i];
  int silted = holds || here >= kUnfilled ? ground : max(ground, min(heldHeight(here), ground + params.silt));
  height[pass.front + i] = silted;
  layers[inLayer(kPlaneWashLoad, i)] -= silted - ground;
  rate[i] = way | (holds ? kSill : 0);
  movers[pass.plane - pass.argument * pass.plane + i] = uint64_t(uint(max(flow[i], 0)));
}
