// Every vertex finds the nearest of the vertices that the rows found. Of equally near ones it takes
// the northernmost, then the one that its row found.
#include "bindings.glsl"

PARAMETERS(ShoreParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  bool here = rowIsWater(rate[i]);
  int best = params.radius * params.radius + 1;
  int found = kNoShore;
  for (int dy = -params.radius; dy <= params.radius; ++dy) {
    int row = rate[i + dy * pass.stride];
    int dx = rowIsWater(row) == here ? rowOffset(row) : 0;
    int distance2 = dx * dx + dy * dy;
    if (distance2 < best) {
      best = distance2;
      found = packedShore(dx, dy);
    }
  }
  layers[inLayer(kPlaneShore, i)] = found;
}
