// Every vertex finds where its water goes: down the steepest slope of the filled surface. What
// stands under water, and the sill that holds it, is marked. pass.argument: the surfaces' plane, 0
// or 1; the other one becomes the drainage's.
#include "bindings.glsl"

PARAMETERS(FluvialParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int at = pass.argument * pass.plane + i;
  int here = surfaceOf(movers[at]);
  bool wet = isKept(movers[at]);
  float diagonal = diagonalWeight(vertexHash(params.stream + 65536u));
  float best = 0.0f;
  int receiver = kNoReceiver;
  bool holds = wet;
  for (int direction = 0; direction < 8; ++direction) {
    ivec2 to = neighbour(direction);
    uint64_t there = movers[at + to.y * pass.stride + to.x];
    float fall = float(here - surfaceOf(there)) * ((direction & 1) != 0 ? diagonal : 1.0f);
    if (fall > best) {
      best = fall;
      receiver = direction;
    }
    holds = holds || (isKept(there) && surfaceOf(there) != params.sea_level);
  }
  // Where no outlet was found, water goes nowhere.
  if (here >= kUnfilled) receiver = kNoReceiver;
  rate[i] = receiver + (holds ? kSill : 0);
  movers[pass.plane - pass.argument * pass.plane + i] = uint64_t(uint(max(flow[i], 0)));
}
