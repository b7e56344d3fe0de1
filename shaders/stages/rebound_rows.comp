// The level's loss, smoothed along the rows.
#include "bindings.glsl"

PARAMETERS(ReboundParams)

void main() {
  if (int(gl_GlobalInvocationID.x) >= pass.width) return;
  int x = pass.x + int(gl_GlobalInvocationID.x);
  int y = pass.y + int(gl_GlobalInvocationID.y);
  int i = int(gl_GlobalInvocationID.z) * pass.window + y * pass.stride + x;
  int64_t sum = int64_t(0);
  for (int offset = 1 - params.radius; offset < params.radius; ++offset) {
    int loss = start[i + offset] - height[pass.front + i + offset];
    sum += int64_t(loss) * triangleWeight(offset, params);
  }
  rate[i] = triangleMean(sum, params);
}
