// Every vertex finds the nearest of the vertices that the rows found. Of equally near ones it takes
// the northernmost, then the one that its row found. Beyond the edge of a planet's face rows are searched here: this face's
// rows are not the next one's.
#include "bindings.glsl"

PARAMETERS(ShoreParams)

#include "standing.glsl"
#include "water.glsl"
#include "shore_row.glsl"

int foundRow(int row) {
  if (isOwner(slotHere(), columnHere(), row)) return rate[placeIn(slotHere(), columnHere(), row)];
  return rowAt(columnHere(), row);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  bool here = rowIsWater(rate[i]);
  int best = params.radius * params.radius + 1;
  int found = kNoShore;
  for (int dy = -params.radius; dy <= params.radius; ++dy) {
    int row = foundRow(rowHere() + dy);
    int dx = rowIsWater(row) == here ? rowOffset(row) : 0;
    int distance2 = dx * dx + dy * dy;
    if (distance2 < best) {
      best = distance2;
      found = packedShore(dx, dy);
    }
  }
  layers[inLayer(kPlaneShore, i)] = found;
}
