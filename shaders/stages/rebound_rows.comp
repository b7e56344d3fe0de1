// The level's loss is smoothed along the rows.
#include "bindings.glsl"

PARAMETERS(ReboundParams)

#include "standing.glsl"
#include "rebound_row.glsl"

void main() {
  if (outsidePass()) return;
  rate[vertexHere()] = smoothedRow(columnHere(), rowHere());
}
