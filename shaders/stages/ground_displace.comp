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
#include "parent_place.glsl"

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

// The weighted heights over the vertex `at` of four vertices in a row of the parent, which is `down` rows south; x: the column
// of the second one.
float heightInRow(int at, int down, int x, vec4 weights, ParentEdges edges) {
  int row = at + down * params.parent_side;
  vec4 taps = vec4(float(heldDifference(parent[row - 1], parent[at])), float(heldDifference(parent[row], parent[at])),
                   float(heldDifference(parent[row + 1], parent[at])), float(heldDifference(parent[row + 2], parent[at])));
  vec4 within = withinEdges(taps, x, edges.west, edges.east);
  return weights.x * within.x + weights.y * within.y + weights.z * within.z + weights.w * within.w;
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  ParentEdges edges = parentEdges();
  ivec2 moved = overEdges(placeInParent() + displacementHere(), edges);
  int at = slotHere() * params.parent_size + (moved.y >> 8) * params.parent_side + (moved.x >> 8);
  vec4 columns = groundWeights(float(moved.x & 255) * 0.00390625f);
  vec4 rows = groundWeights(float(moved.y & 255) * 0.00390625f);
  int x = moved.x >> 8;
  vec4 crossed = vec4(heightInRow(at, -1, x, columns, edges), heightInRow(at, 0, x, columns, edges),
                      heightInRow(at, 1, x, columns, edges), heightInRow(at, 2, x, columns, edges));
  vec4 within = withinEdges(crossed, moved.y >> 8, edges.north, edges.south);
  float sum = rows.x * within.x + rows.y * within.y + rows.z * within.z + rows.w * within.w;
  // Between the heights of the four vertices around the place: a cubic would raise a lip over a wall.
  float east = float(heldDifference(parent[at + 1], parent[at]));
  float south = float(heldDifference(parent[at + params.parent_side], parent[at]));
  float south_east = float(heldDifference(parent[at + params.parent_side + 1], parent[at]));
  float lowest = min(min(east, south), min(south_east, 0.0f));
  float highest = max(max(east, south), max(south_east, 0.0f));
  height[pass.front + i] = heldHeight(parent[at] + int(floor(clamp(sum, lowest, highest))));
}
