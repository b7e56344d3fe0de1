// The level's loss is smoothed along the rows.
#include "bindings.glsl"

PARAMETERS(ReboundParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int64_t sum = int64_t(0);
  for (int offset = 1 - params.radius; offset < params.radius; ++offset) {
    int loss = start[i + offset] - height[pass.front + i + offset];
    sum += int64_t(loss) * triangleWeight(offset, params);
  }
  rate[i] = triangleMean(sum, params);
}
