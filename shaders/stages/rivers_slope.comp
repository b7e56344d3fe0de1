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
  for (int step = 0; step < kFloorSteps; ++step) {
    int direction = wayDirection(rate[at]);
    if (direction == kWayEnds) break;
    ivec2 to = neighbour(direction);
    run += 2 * to;
    at += to.y * pass.stride + to.x;
    ivec2 from = run - first;
    float square = 0.25f * float(from.x * from.x + from.y * from.y);
    if (kOnSphere) square = 0.25f * squareOf(frame, float(from.x), float(from.y));
    float other = floorOf(riverArea(layers[inLayer(kPlaneWay, at)]), local);
    float near = other * reciprocal(square);
    if (other >= 4.0f * own && near > nearest) {
      nearest = near;
      width = other;
    }
  }
  if (width < kMinFloorSquare) return found;
  float distance = reciprocalSqrt(nearest);
  int code = floorCode(distance);
  if (code < inherited) return found;
  found.code = code;
  found.part = partBesideFloor(distance, reciprocalSqrt(width), params);
  return found;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int direction = wayDirection(rate[i]);
  int rise = 0;
  int relief = 0;
  int receiver = i;
  if (direction != kWayEnds) {
    int river = layers[inLayer(kPlaneWay, i)];
    RiversParams local = paramsHere();
    Floor found = floorAt(i, local);
    rise = riseOverStep(riseOfCell(river, found.part, local), stepOf(stepsHere(), direction), local);
    // With the floor code, as children know it when they subtract this.
    relief = meanRelief(packedRiver(direction, riverArea(river), found.code, riverSteepness(river)), local);
    // Others still read this vertex's river, so rivers_rise moves the floor from here to it.
    flow[i] += found.code;
    receiver = ownedNeighbour(direction);
  }
  discharge[i] = uint(relief);
  movers[pass.argument * pass.plane + i] = packedWords(uint(rise), uint(receiver));
}
