// On a planet, copies the owners' values to those vertices of a window that another window owns, turned into this
// window's axes. pass.argument: which values, as bits. pass.before: the width of the strips along the face's sides, in
// vertices, including the side; 0: the whole pass.
#include "bindings.glsl"

PARAMETERS(SeamsParams)

#include "standing.glsl"
#include "layer_planes.glsl"

bool wants(int values) { return (pass.argument & values) != 0; }

// The position of an invocation: in a strip along a side, at a distance from it. The strips are west, east, north and
// south. Vertices beyond two sides belong to north and south.
ivec2 placeHere() {
  if (pass.before == 0) return ivec2(columnHere(), rowHere());
  Job job = jobs[slotHere()];
  int side = rowHere() / pass.before;
  int away = rowHere() - side * pass.before;
  int along = columnHere();
  if (side == 2) return ivec2(along, job.north_edge - away);
  if (side == 3) return ivec2(along, job.south_edge + away);
  if (along <= job.north_edge || along >= job.south_edge) return ivec2(-1, -1);
  return ivec2(side == 0 ? job.west_edge - away : job.east_edge + away, along);
}

bool isInPass(ivec2 place) {
  ivec2 from_first = place - ivec2(pass.x, pass.x);
  return min(from_first.x, from_first.y) >= 0 && max(from_first.x, from_first.y) < pass.width;
}

void main() {
  if (beyondRow()) return;
  ivec2 place = placeHere();
  if (!isInPass(place) || isOwner(slotHere(), place.x, place.y)) return;
  int i = placeIn(slotHere(), place.x, place.y);
  Owner owner = ownerOf(slotHere(), place.x, place.y);
  int from = placeIn(owner.slot, owner.column, owner.row);
  // Turns back to this window's directions.
  int turns = 4 - owner.turns;
  if (wants(kSeamHeight)) height[pass.front + i] = height[pass.front + from];
  if (wants(kSeamFlow)) flow[i] = flow[from];
  if (wants(kSeamDischarge)) discharge[i] = discharge[from];
  if (wants(kSeamWay)) rate[i] = turnedWay(rate[from], turns);
  if (wants(kSeamSlide)) rate[i] = turnedSlide(rate[from], turns);
  if (wants(kSeamRate)) rate[i] = rate[from];
  if (wants(kSeamMovers)) movers[i] = movers[from];
  if (wants(kSeamOtherMovers)) movers[pass.plane + i] = movers[pass.plane + from];
  if (wants(kSeamDrainage)) rate[i] = turnedDrainage(rate[from], turns);
  if (wants(kSeamWater) && hasLayer(params.planes, kLayerWater)) {
    layers[inLayer(kPlaneWater, i)] = layers[inLayer(kPlaneWater, from)];
  }
  if (wants(kSeamRiver)) layers[inLayer(kPlaneWay, i)] = turnedRiver(layers[inLayer(kPlaneWay, from)], turns);
  if (!wants(kSeamResult)) return;
  start[i] = start[from];
  fraction[i] = fraction[from];
  layers[inLayer(kPlaneWashLoad, i)] = layers[inLayer(kPlaneWashLoad, from)];
  layers[inLayer(kPlaneUplift, i)] = layers[inLayer(kPlaneUplift, from)];
  layers[inLayer(kPlaneBedrock, i)] = layers[inLayer(kPlaneBedrock, from)];
  copyPlanes(i, from, turns);
}
