// On a planet, the places of a window that another window owns get copies of their owners' values, as they are seen
// from here. pass.argument: which values, as bits.
#include "bindings.glsl"

PARAMETERS(SeamsParams)

#include "standing.glsl"

bool wants(int values) { return (pass.argument & values) != 0; }

void main() {
  if (beyondRow() || isOwner(slotHere(), columnHere(), rowHere())) return;
  int i = vertexHere();
  Owner owner = ownerOf(slotHere(), columnHere(), rowHere());
  int from = placeIn(owner.slot, owner.column, owner.row);
  // Back to this window's directions.
  int turns = 4 - owner.turns;
  if (wants(kSeamHeight)) height[pass.front + i] = height[pass.front + from];
  if (wants(kSeamFlow)) flow[i] = flow[from];
  if (wants(kSeamDischarge)) discharge[i] = discharge[from];
  if (wants(kSeamWay)) rate[i] = turnedWay(rate[from], turns);
  if (wants(kSeamSlide)) rate[i] = turnedSlide(rate[from], turns);
  if (wants(kSeamRate)) rate[i] = rate[from];
  if (wants(kSeamMovers)) movers[i] = movers[from];
  if (wants(kSeamOtherMovers)) movers[pass.plane + i] = movers[pass.plane + from];
  if (wants(kSeamRiver)) layers[inLayer(kPlaneWay, i)] = turnedRiver(layers[inLayer(kPlaneWay, from)], turns);
  if (!wants(kSeamResult)) return;
  start[i] = start[from];
  fraction[i] = fraction[from];
  layers[inLayer(kPlaneWashLoad, i)] = layers[inLayer(kPlaneWashLoad, from)];
  layers[inLayer(kPlaneUplift, i)] = layers[inLayer(kPlaneUplift, from)];
  layers[inLayer(kPlaneBedrock, i)] = layers[inLayer(kPlaneBedrock, from)];
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = layers[inLayer(kPlaneWater, from)];
}
