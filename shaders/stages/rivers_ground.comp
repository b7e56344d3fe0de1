// Below level 0: takes the parent's ground at displaced places instead; the detail stays. No ways are known
// yet. The displacement is kept in the second plane of movers.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "ground_place.glsl"
#include "noise_table.glsl"
#include "displaced.glsl"
#include "parent_place.glsl"
#include "packed.glsl"

// The height above `origin` of a vertex of the parent, or of the nearest one there is.
float tapOver(int origin, int x, int y) {
  int row = clamp(y, 0, params.parent_side - 1) * params.parent_side;
  return float(heldDifference(parent[slotHere() * params.parent_size + row + clamp(x, 0, params.parent_side - 1)], origin));
}

// The same between the columns of a row, at a part of a cell.
float heightInRow(int origin, int x, int y, float part, ParentEdges edges) {
  vec4 taps = vec4(tapOver(origin, x - 1, y), tapOver(origin, x, y), tapOver(origin, x + 1, y), tapOver(origin, x + 2, y));
  vec4 within = withinEdges(taps, x, edges.west, edges.east);
  return cubicBetween(within.x, within.y, within.z, within.w, part);
}

// The same at a place of the parent, in 1/256 of its cells.
float heightOver(int origin, ivec2 place, ParentEdges edges) {
  int x = place.x >> 8;
  int y = place.y >> 8;
  float part = float(place.x & 255) * 0.00390625f;
  vec4 rows = vec4(heightInRow(origin, x, y - 1, part, edges), heightInRow(origin, x, y, part, edges),
                   heightInRow(origin, x, y + 1, part, edges), heightInRow(origin, x, y + 2, part, edges));
  vec4 within = withinEdges(rows, y, edges.north, edges.south);
  return cubicBetween(within.x, within.y, within.z, within.w, float(place.y & 255) * 0.00390625f);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  flow[i] = kUnfilled;
  rate[i] = kWayUnknown;
  CLEAR_SUMS(i);
  if (params.parent_side == 0) return;
  ivec2 moved = kOnSphere ? displacedInSpace(slotHere(), columnHere(), rowHere())
                          : displacedOnPlane(columnHere(), rowHere());
  movers[pass.plane + i] = packedWords(packedPair(moved), 0u);
  ParentEdges edges = parentEdges();
  float shift = heightOver(parentGround(), overEdges(placeInParent() - moved, edges), edges);
  int change = changeOn(height[pass.front + i], heldChange(shift));
  height[pass.front + i] += change;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
}
