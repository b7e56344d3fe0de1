// The surface that filling starts from if the parent's is known: a little over the parent's ground
// and water; the sea and the parent's lakes unchanged. Where the parent's water went from one vertex
// to the next, the surface between them leads down too, even if interpolation or later stages block
// the way. It may then lie under the ground, which is carved again.
#include "bindings.glsl"

PARAMETERS(InheritedSurfaceParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "water.glsl"

// The surface at a vertex of the parent.
int parentSurface(int at) {
  int dry = max(parent[at], params.sea_level);
  return hasLayer(params.planes, kLayerWater) ? max(dry, parentWater(at)) : dry;
}

int lowestAround(int at) {
  int lowest = kUnfilled;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    lowest = min(lowest, parentSurface(at + to.y * params.parent_side + to.x));
  }
  return lowest;
}

// The surface half-way between two neighbours of the parent if water goes from one to the other;
// else kUnfilled.
int levelOfWay(int a, int b) {
  int at_a = parentSurface(a);
  int at_b = parentSurface(b);
  bool leads = lowestAround(at_a > at_b ? a : b) == min(at_a, at_b);
  return leads ? (at_a >> 1) + (at_b >> 1) : kUnfilled;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  bool odd_x = oddColumn() != 0;
  bool odd_y = oddRow() != 0;
  ivec4 around = parentsAround();
  int lowest = min(min(parentSurface(around.x), parentSurface(around.y)),
                   min(parentSurface(around.z), parentSurface(around.w)));
  int ground = parentGround();
  int surface = lowest;
  if (odd_x || odd_y) {
    surface = min(max(ground, lowest + 1), levelOfWay(around.x, around.w));
    if (odd_x && odd_y) surface = min(surface, levelOfWay(around.y, around.z));
  }
  int water = standingWater(i);
  int over = min(surface, kUnfilled - params.freeboard) + params.freeboard;
  movers[i] = packedSurface(water != kDry ? water : over, water != kDry,
                            surfaceStep(vertexHash(params.stream), params.step, params.roughness));
}
