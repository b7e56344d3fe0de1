// Below level 0: takes the parent's ground at displaced places instead; the detail stays. No ways are known
// yet. The displacement is kept in the second plane of movers.
#include "bindings.glsl"

PARAMETERS(RiversParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "ground_place.glsl"
#include "noise_table.glsl"
#include "displaced.glsl"
#include "packed.glsl"

// The height above `origin` at a place of the parent, in 1/256 of its cells.
float heightOver(int origin, int px, int py) {
  int x = px >> 8;
  float tx = float(px & 255) * 0.00390625f;
  float rows[4];
  for (int row = 0; row < 4; ++row) {
    int y = clamp((py >> 8) + row - 1, 0, params.parent_side - 1);
    float taps[4];
    for (int tap = 0; tap < 4; ++tap) {
      int at = clamp(x + tap - 1, 0, params.parent_side - 1);
      int there = parent[slotHere() * params.parent_size + y * params.parent_side + at];
      taps[tap] = float(heldDifference(there, origin));
    }
    rows[row] = cubicBetween(taps[0], taps[1], taps[2], taps[3], tx);
  }
  return cubicBetween(rows[0], rows[1], rows[2], rows[3], float(py & 255) * 0.00390625f);
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
  float shift = heightOver(parentGround(), job.parent_x * 256 + lx * 128 - moved.x,
                           job.parent_y * 256 + ly * 128 - moved.y);
  int change = changeOn(height[pass.front + i], heldChange(shift));
  height[pass.front + i] += change;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += change;
}
