// Wash load in grains becomes wash load in height units; the rest below a unit stays in the ground.
// The discharge of all steps becomes mean flow. pass.argument: 2^20 / steps.
#include "bindings.glsl"

PARAMETERS(DropletParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uint64_t grains = LOAD_SUMS(i);
  layers[inLayer(kPlaneWashLoad, i)] += int(grains >> params.grain_bits);
  uint rest = fraction[i] + uint(grains & uint64_t((1 << params.grain_bits) - 1));
  height[pass.front + i] += int(rest >> params.grain_bits);
  fraction[i] = rest & ((1u << params.grain_bits) - 1u);
  // discharge: 1/16 of a cell's rain; flow: 1/256.
  uint64_t mean = (uint64_t(discharge[i]) * uint64_t(pass.argument)) >> 16;
  flow[i] = int(min(uint64_t(flow[i]) + mean, uint64_t(1u << 30)));
}
