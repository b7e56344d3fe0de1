// A particle of rain falls in every cell, rock weathers to soil, and the sums are cleared.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "particle_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  storeParticle(i, bornParticle(seed, globalColumn(), globalRow(), flow[i], params));
  int bedrock = layers[inLayer(kPlaneBedrock, i)];
  layers[inLayer(kPlaneBedrock, i)] = min(bedrock, height[pass.front + i] - params.soil);
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
