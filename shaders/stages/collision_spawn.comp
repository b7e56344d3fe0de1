// A particle of rain falls in every cell, rock weathers to soil, and the sums are cleared.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "particle_state.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  storeParticle(i, bornParticle(vertexHash(kDropletStream + params.stream), flow[i], params));
  if (!hasCell()) killParticle(i);
  int bedrock = layers[inLayer(kPlaneBedrock, i)];
  layers[inLayer(kPlaneBedrock, i)] = min(bedrock, height[pass.front + i] - params.soil);
  CLEAR_SUMS(i);
  discharge[i] = 0u;
  rate[i] = 0;
}
