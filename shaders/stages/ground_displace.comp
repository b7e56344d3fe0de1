// The first level of ground takes the parent's heights at places that smooth noise displaces, and smooths them a little:
// what a single vertex of the parent has, or a facet between its vertices, would else show at every finer level.
#include "bindings.glsl"

PARAMETERS(GroundParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"
#include "ground_place.glsl"
#include "ground_site.glsl"

// By column and by row, in 1/256 of the parent's cell.
ivec2 displacementHere() {
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  if (kOnSphere) {
    int face = jobs[slotHere()].face;
    return displacementOnSphere(face, placeHere(), frameHere(), params.stream, params.turn_a, params.soil, seed);
  }
  GroundSite site = placedSite();
  return ivec2(displacementAt(site.x, site.y, kGroundEast, params.stream, params.turn_a, params.soil, seed),
               displacementAt(site.x, site.y, kGroundSouth, params.stream, params.turn_a, params.soil, seed));
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Job job = jobs[slotHere()];
  ivec2 displacement = displacementHere();
  int moved_x = job.parent_x * 256 + (columnHere() + int(job.x_low & 1u)) * 128 + displacement.x;
  int moved_y = job.parent_y * 256 + (rowHere() + int(job.y_low & 1u)) * 128 + displacement.y;
  int at = slotHere() * params.parent_size + (moved_y >> 8) * params.parent_side + (moved_x >> 8);
  vec4 columns = groundWeights(float(moved_x & 255) * 0.00390625f);
  vec4 rows = groundWeights(float(moved_y & 255) * 0.00390625f);
  float sum = 0.0f;
  for (int south = -1; south <= 2; ++south) {
    int row = at + south * params.parent_side;
    sum += rows[south + 1] * (columns.x * float(heldDifference(parent[row - 1], parent[at])) +
                              columns.y * float(heldDifference(parent[row], parent[at])) +
                              columns.z * float(heldDifference(parent[row + 1], parent[at])) +
                              columns.w * float(heldDifference(parent[row + 2], parent[at])));
  }
  // Between the heights of the four vertices around the place: a cubic would raise a lip over a wall.
  float east = float(heldDifference(parent[at + 1], parent[at]));
  float south = float(heldDifference(parent[at + params.parent_side], parent[at]));
  float south_east = float(heldDifference(parent[at + params.parent_side + 1], parent[at]));
  float lowest = min(min(east, south), min(south_east, 0.0f));
  float highest = max(max(east, south), max(south_east, 0.0f));
  height[pass.front + i] = heldHeight(parent[at] + int(floor(clamp(sum, lowest, highest))));
}
