// A particle of rain falls in every cell, rock weathers to soil, and the sums are cleared.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "particle_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Job job = jobs[slotHere()];
  int64_t gx = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + columnHere();
  int64_t gy = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + rowHere();
  storeParticle(i, bornParticle(uvec2(pass.seed_low, pass.seed_high), gx, gy, flow[i], params));
  int bedrock = layers[inLayer(kPlaneBedrock, i)];
  layers[inLayer(kPlaneBedrock, i)] = min(bedrock, height[pass.front + i] - params.soil);
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
