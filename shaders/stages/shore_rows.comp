// Every vertex finds its side, and the nearest vertex of its row on the other side.
#include "bindings.glsl"

PARAMETERS(ShoreParams)

#include "standing.glsl"
#include "water.glsl"
#include "shore_row.glsl"

void main() {
  if (outsidePass()) return;
  rate[vertexHere()] = rowAt(columnHere(), rowHere());
}
