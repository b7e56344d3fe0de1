// A level's first ground and what stands on it, from its parent's.
#include "bindings.glsl"

PARAMETERS(UpsampleParams)

#include "standing.glsl"

int meanOf(ivec4 at) {
  return (parent[at.x] >> 2) + (parent[at.y] >> 2) + (parent[at.z] >> 2) + (parent[at.w] >> 2);
}

// The level of the water that stands at a parent vertex.
int inheritedWater(int at, int plane) {
  return standingLevel(parent[kLayerWater * plane + at], parent[at]);
}

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

  // The parents around: four, two twice, or one four times.
  int plane = params.parent_side * params.parent_side;
  ivec4 around = at + ivec4(0, odd_x ? 1 : 0, odd_y ? params.parent_side : 0,
                            (odd_x ? 1 : 0) + (odd_y ? params.parent_side : 0));
  int passed = meanOf(kLayerFlow * plane + around);

  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = inheritedFlow(passed, params.detail);
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = 0;
  if (hasLayer(params.planes, kLayerShore)) layers[inLayer(kPlaneShore, i)] = kNoShore;
  layers[inLayer(kPlaneBedrock, i)] = ground - meanOf(kLayerSediment * plane + around);
  if (hasLayer(params.planes, kLayerWater)) {
    int level =
        inheritedLevel(ground, inheritedWater(around.x, plane), inheritedWater(around.y, plane),
                       inheritedWater(around.z, plane), inheritedWater(around.w, plane));
    layers[inLayer(kPlaneWater, i)] = level;
  }
  if (hasLayer(params.planes, kLayerVegetation)) {
    layers[inLayer(kPlaneVegetation, i)] = meanOf(kLayerVegetation * plane + around);
  }
}
