// One droplet falls in every cell; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "droplet_state.glsl"

void main() {
  if (int(gl_GlobalInvocationID.x) >= pass.width) return;
  int x = pass.x + int(gl_GlobalInvocationID.x);
  int y = pass.y + int(gl_GlobalInvocationID.y);
  int slot = int(gl_GlobalInvocationID.z);
  int i = slot * pass.window + y * pass.stride + x;
  Job job = jobs[slot];
  int64_t gx = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + x;
  int64_t gy = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + y;
  storeDroplet(i, bornDroplet(uvec2(pass.seed_low, pass.seed_high), gx, gy, flow[i], params));
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
