// Finds the ground's rise over the step to the receiver, and where valleys have floors. pass.argument:
// the plane that is written, 0 or 1.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"
#include "local_params.glsl"

struct Floor {
  int code;
  float part;
};

// The floor at a vertex: of the river downstream whose floor is nearest to the middle of the first
// step, or the inherited floor if that is nearer.
Floor floorAt(int i, RiversParams local) {
  int inherited = riverFloor(layers[inLayer(kPlaneWay, i)]);
  Floor found;
  found.code = inherited;
  found.part = partByFloor(inherited, params);
  if (params.floor_width <= 0.0f) return found;
  float own = floorOf(riverArea(layers[inLayer(kPlaneWay, i)]), local);
  float nearest = 0.0f;
  float width = 0.0f;
  ivec2 first = neighbour(wayDirection(rate[i]));
  Frame frame;
  if (kOnSphere) frame = frameHere();
  ivec2 run = ivec2(0, 0);
  int at = i;
  // Beyond its end a way stays where it is, and finds nothing nearer.
  for (int step = 0; step < kFloorSteps; ++step) {
    ivec2 to = neighbour(wayDirection(rate[at]));
    run += 2 * to;
    at += to.y * pass.stride + to.x;
    ivec2 from = run - first;
    float square = 0.25f * float(from.x * from.x + from.y * from.y);
    if (kOnSphere) square = 0.25f * squareOf(frame, float(from.x), float(from.y));
    float other = floorOf(riverArea(layers[inLayer(kPlaneWay, at)]), local);
    float near = other * reciprocal(max(square, kLeastSquare));
    bool nearer = other >= 4.0f * own && near > nearest;
    nearest = nearer ? near : nearest;
    width = nearer ? other : width;
  }
  float distance = reciprocalSqrt(max(nearest, kLeastSquare));
  int code = floorCode(distance);
  float part = partBesideFloor(distance, reciprocalSqrt(max(width, kMinFloorSquare)), params);
  bool has_floor = width >= kMinFloorSquare && code >= inherited;
  found.code = has_floor ? code : inherited;
  found.part = has_floor ? part : found.part;
  return found;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int direction = wayDirection(rate[i]);
  int goes = direction != kWayEnds ? 1 : 0;
  int river = layers[inLayer(kPlaneWay, i)];
  RiversParams local = paramsHere();
  Floor found = floorAt(i, local);
  int rise = riseOverStep(riseOfCell(river, found.part, local), stepOf(stepsHere(), direction), local);
  // With the floor code, as children know it when they subtract this.
  int relief = meanRelief(packedRiver(direction, riverArea(river), found.code, riverSteepness(river)), local);
  // Others still read this vertex's river, so rivers_rise moves the floor from here to it.
  flow[i] += goes * found.code;
  discharge[i] = uint(goes * relief);
  movers[pass.argument * pass.plane + i] = packedWords(uint(goes * rise), uint(followedNeighbour(direction)));
}
