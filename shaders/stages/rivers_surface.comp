// The surface that sinks to the ways: a way's own height, the sea's, or kUnfilled elsewhere.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  bool sea = height[pass.front + i] <= params.sea_level;
  bool kept = rate[i] != kWayUnknown;
  if (!kept && sea) rate[i] = kWayEnds;
  int surface = kept ? flow[i] : (sea ? params.sea_level : kUnfilled);
  uint step = surfaceStep(vertexHash(params.lattice.stream + kStreamStep), params.descent, params.descent >> 6);
  movers[i] = packedSurface(surface, kept || sea, step);
}
