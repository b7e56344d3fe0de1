// One droplet falls in every cell; the sums are cleared.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "droplet_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int x = columnHere();
  int y = rowHere();
  int slot = slotHere();
  int i = vertexHere();
  Job job = jobs[slot];
  int64_t gx = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + x;
  int64_t gy = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + y;
  storeDroplet(i, bornDroplet(uvec2(pass.seed_low, pass.seed_high), gx, gy, flow[i], params));
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
