// A snowball falls in every cell, or in some; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "snowball_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Job job = jobs[slotHere()];
  int64_t gx = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + columnHere();
  int64_t gy = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + rowHere();
  storeSnowball(i, bornSnowball(uvec2(pass.seed_low, pass.seed_high), gx, gy, params));
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
