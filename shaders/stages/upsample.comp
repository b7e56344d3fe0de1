// A level's first ground and flow, from its parent's.
#include "bindings.glsl"

PARAMETERS(UpsampleParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int x = columnHere();
  int y = rowHere();
  int slot = slotHere();
  int i = vertexHere();

  Job job = jobs[slot];
  int64_t gx = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low)) + x;
  int64_t gy = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low)) + y;
  bool odd_x = (gx & 1) != 0;
  bool odd_y = (gy & 1) != 0;
  int px = job.parent_x + ((x + int(job.x_low & 1u)) >> 1);
  int py = job.parent_y + ((y + int(job.y_low & 1u)) >> 1);
  int at = slot * params.parent_size + py * params.parent_side + px;

  // Rows of the parent first, then across them. An even vertex needs one row, an odd one four.
  int rows[4];
  for (int row = 0; row < 4; ++row) {
    int r = at + (odd_y ? row - 1 : 0) * params.parent_side;
    rows[row] = odd_x ? middle(parent[r - 1], parent[r], parent[r + 1], parent[r + 2]) : parent[r];
  }
  int ground = odd_y ? middle(rows[0], rows[1], rows[2], rows[3]) : rows[0];

  int rise_x = parent[at + 1] - parent[at];
  int rise_y = parent[at + params.parent_side] - parent[at];
  Place place;
  place.x = gx * 256;
  place.y = gy * 256;
  float noise = gradientNoise(place, params.lattice, uvec2(pass.seed_low, pass.seed_high));
  ground += detailHeight(noise, rise_x, rise_y, params.detail);

  int f = at + params.parent_side * params.parent_side;
  int east = odd_x ? 1 : 0;
  int south = odd_y ? params.parent_side : 0;
  int passed = (parent[f] >> 2) + (parent[f + east] >> 2) + (parent[f + south] >> 2) +
               (parent[f + east + south] >> 2);

  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = inheritedFlow(passed, params.detail);
  wash_load[i] = 0;
  uplift[i] = 0;
}
