// The loss is smoothed along the columns too, and given back.
#include "bindings.glsl"

PARAMETERS(ReboundParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int64_t sum = int64_t(0);
  for (int offset = 1 - params.radius; offset < params.radius; ++offset) {
    sum += int64_t(rate[i + offset * pass.stride]) * triangleWeight(offset, params);
  }
  int given = upliftOf(triangleMean(sum, params), params);
  height[pass.front + i] += given;
  layers[inLayer(kPlaneUplift, i)] += given;
  layers[inLayer(kPlaneBedrock, i)] += given;
}
