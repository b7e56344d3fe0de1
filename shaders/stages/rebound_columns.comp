// The loss is smoothed along the columns too, and given back. Beyond the edge of a planet's face rows are smoothed here:
// this face's rows are not the next one's.
#include "bindings.glsl"

PARAMETERS(ReboundParams)

#include "standing.glsl"
#include "rebound_row.glsl"

int lossInRow(int row) {
  if (isOwner(slotHere(), columnHere(), row)) return rate[placeIn(slotHere(), columnHere(), row)];
  return smoothedRow(columnHere(), row);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int64_t sum = int64_t(0);
  for (int offset = 1 - params.radius; offset < params.radius; ++offset) {
    sum += int64_t(lossInRow(rowHere() + offset)) * triangleWeight(offset, params);
  }
  int ground = height[pass.front + i];
  int given = changeOn(ground, upliftOf(triangleMean(sum, params), params));
  height[backPlane() + i] = ground + given;
  layers[inLayer(kPlaneUplift, i)] += given;
  layers[inLayer(kPlaneBedrock, i)] += given;
}
