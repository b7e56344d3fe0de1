// Every vertex gets one receiver, whose surface is lower: the next vertex of its way, or else the
// steepest fall, with random weights. pass.argument: the surfaces' plane, 0 or 1; the other plane gets
// the receiver's index and the cells that are counted. Vertices on the rim, pass.live_first and
// pass.live_last, have no receiver.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "packed.glsl"
#include "ground_place.glsl"

// The weights of falls, by the step's direction; see stepOf.
vec4 fallWeights() {
  if (!kOnSphere) return vec4(1.0f, kDiagonalFall, 1.0f, kDiagonalFall);
  vec4 steps = stepsHere();
  float diagonal = 1.41421356f * kDiagonalFall;
  return vec4(reciprocal(steps.x), diagonal * reciprocal(steps.y), reciprocal(steps.z),
              diagonal * reciprocal(steps.w));
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int from = pass.argument * pass.plane;
  uint64_t packed = movers[from + i];
  int here = surfaceOf(packed);
  int ground = height[pass.front + i];
  int way = rate[i];
  int direction = wayDirection(way);
  bool kept = (way & kWayKept) != 0;
  uint64_t cells = LOAD_SUMS(i);
  bool large = (uint(cells >> kCapturedBits) | uint(cells >> 32)) != 0u;
  int x = columnHere();
  int y = rowHere();
  // A row of the rim is one for all of its vertices, so a compiler can treat it apart.
  uint inside = uint(pass.live_last - pass.live_first - 1);
  bool rim = uint(y - 1 - pass.live_first) >= inside || uint(x - 1 - pass.live_first) >= inside;
  bool ends = rim || here >= kUnfilled || direction == kWayEnds || (isKept(packed) && !kept);
  uint chance = vertexHash(params.lattice.stream + kStreamFall);
  vec4 weights = fallWeights();
  // A vertex on the rim may have no neighbours: it reads itself, unless there is something else to read.
  int reach = rim && !GUARDED ? 0 : 1;
  float steepest = 0.0f;
  int down = kWayEnds;
  for (int other = 0; other < 8; ++other) {
    ivec2 to = neighbour(other);
    int there = surfaceOf(movers[from + i + reach * (to.y * pass.stride + to.x)]);
    float fall = there < here ? weighedFall(differenceOf(here, there), stepOf(weights, other), chance, other, params) : 0.0f;
    down = fall > steepest ? other : down;
    steepest = max(fall, steepest);
  }
  ivec2 next = neighbour(direction);
  int surface = surfaceOf(movers[from + i + reach * (next.y * pass.stride + next.x)]);
  // Without branches, so that nothing is read in one.
  int follows = int(kept) & int(surface < here) & (int(large) | int(steepest <= kCapture * params.repose));
  direction = ends ? kWayEnds : (follows != 0 ? direction : down);
  rate[i] = kept ? keptWay(direction, wayFloor(way)) : direction;
  int receiver = kept || direction == kWayEnds ? i : followedNeighbour(direction);
  movers[pass.plane - from + i] = packedWords(kept ? 0u : 1u, uint(receiver));
  int foot = kept ? min(ground, here) : ground;
  height[backPlane() + i] = direction == kWayEnds ? foot : here;
  discharge[i] = 0u;
  flow[i] = 0;
}
