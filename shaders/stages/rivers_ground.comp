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

// The height above `origin` at a place of the parent, in 1/256 of its cells.
float heightOver(int origin, ivec2 place) {
  ParentEdges edges = parentEdges();
  int x = place.x >> 8;
  float tx = float(place.x & 255) * 0.00390625f;
  vec4 rows = vec4(0.0f);
  for (int row = 0; row < 4; ++row) {
    int y = clamp((place.y >> 8) + row - 1, 0, params.parent_side - 1);
    vec4 taps = vec4(0.0f);
    for (int tap = 0; tap < 4; ++tap) {
      int at = clamp(x + tap - 1, 0, params.parent_side - 1);
      int there = parent[slotHere() * params.parent_size + y * params.parent_side + at];
      taps[tap] = float(heldDifference(there, origin));
    }
    taps = withinEdges(taps, x, edges.west, edges.east);
    rows[row] = cubicBetween(taps.x, taps.y, taps.z, taps.w, tx);
  }
  rows = withinEdges(rows, place.y >> 8, edges.north, edges.south);
  return cubicBetween(rows.x, rows.y, rows.z, rows.w, float(place.y & 255) * 0.00390625f);
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  flow[i] = kUnfilled;
  rate[i] = kWayUnknown;
  CLEAR_SUMS(i);
  if (params.parent_side == 0) return;
  Job job = jobs[slotHere()];
  int lx = columnHere() + int(job.x_low & 1u);
  int ly = rowHere() + int(job.y_low & 1u);
  ivec2 moved = kOnSphere ? displacedInSpace(slotHere(), columnHere(), rowHere())
                          : displacedOnPlane(columnHere(), rowHere());
  movers[pass.plane + i] = packedWords(packedPair(moved), 0u);
  ivec2 from = ivec2(job.parent_x * 256 + lx * 128, job.parent_y * 256 + ly * 128) - moved;
  float shift = heightOver(parentGround(), overEdges(from));
  int change = changeOn(height[pass.front + i], heldChange(shift));
  height[pass.front + i] += change;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
}
