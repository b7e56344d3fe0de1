// What the vertices of a level know of their parent's ground, for each row of the parent from the one before the window's
// first row on. An invocation has one of the parent's columns, and writes the two columns of the window there. The rows
// between are interpolated by ground.comp. Rows before 0 and after pass.before are only read for their heights: their
// slopes are those of the nearest row.
#include "bindings.glsl"

PARAMETERS(GroundParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"

// How much higher the ground is at a vertex of the parent than at another one, in two height units. (The difference of
// halves never overflows.)
float riseTo(int there, int at) { return float((parent[there] >> 1) - (parent[at] >> 1)); }

// Sums of heights over those at `at`, along a row that is `down` rows south. With weights of binomials:
float smoothRow(int at, int down) {
  int c = at + down * params.parent_side;
  return 2.0f * riseTo(c, at) + (riseTo(c - 1, at) + riseTo(c + 1, at));
}
float widelySmoothRow(int at, int down) {
  int c = at + down * params.parent_side;
  return 20.0f * riseTo(c, at) + 15.0f * (riseTo(c - 1, at) + riseTo(c + 1, at)) +
         6.0f * (riseTo(c - 2, at) + riseTo(c + 2, at)) + (riseTo(c - 3, at) + riseTo(c + 3, at));
}
// With weights of their first differences:
float riseOfRow(int at, int down) {
  int c = at + down * params.parent_side;
  return 2.0f * (riseTo(c + 1, at) - riseTo(c - 1, at)) + (riseTo(c + 2, at) - riseTo(c - 2, at));
}
float wideRiseOfRow(int at, int down) {
  int c = at + down * params.parent_side;
  return 14.0f * (riseTo(c + 1, at) - riseTo(c - 1, at)) + 14.0f * (riseTo(c + 2, at) - riseTo(c - 2, at)) +
         6.0f * (riseTo(c + 3, at) - riseTo(c - 3, at)) + (riseTo(c + 4, at) - riseTo(c - 4, at));
}
// And of their second differences:
float bendOfRow(int at, int down) {
  int c = at + down * params.parent_side;
  return riseTo(c - 2, at) + riseTo(c + 2, at) - 2.0f * riseTo(c, at);
}

// The slope of the ground smoothed by [1 2 1] along both axes.
vec2 slopeAt(int at) {
  float per_rise = reciprocal(params.cell) * 0.03125f;
  float east = 2.0f * riseOfRow(at, 0) + (riseOfRow(at, -1) + riseOfRow(at, 1));
  float south = 2.0f * (smoothRow(at, 1) - smoothRow(at, -1)) + (smoothRow(at, 2) - smoothRow(at, -2));
  return vec2(east * per_rise, south * per_rise);
}

// The same, smoothed three times.
vec2 wideSlopeAt(int at) {
  float per_rise = reciprocal(params.cell) * 0.00012207031f;
  float east = 20.0f * wideRiseOfRow(at, 0) + 15.0f * (wideRiseOfRow(at, -1) + wideRiseOfRow(at, 1)) +
               6.0f * (wideRiseOfRow(at, -2) + wideRiseOfRow(at, 2)) + (wideRiseOfRow(at, -3) + wideRiseOfRow(at, 3));
  float south = 14.0f * (widelySmoothRow(at, 1) - widelySmoothRow(at, -1)) +
                14.0f * (widelySmoothRow(at, 2) - widelySmoothRow(at, -2)) +
                6.0f * (widelySmoothRow(at, 3) - widelySmoothRow(at, -3)) +
                (widelySmoothRow(at, 4) - widelySmoothRow(at, -4));
  return vec2(east * per_rise, south * per_rise);
}

// The change of slope over a parent's cell: the Laplacian of the ground smoothed by [1 2 1] along both axes.
float bendAt(int at) {
  float along = 2.0f * bendOfRow(at, 0) + (bendOfRow(at, -1) + bendOfRow(at, 1));
  float across = smoothRow(at, -2) + smoothRow(at, 2) - 2.0f * smoothRow(at, 0);
  return (along + across) * reciprocal(params.cell) * 0.0625f;
}

// Whether a vertex of the face needs what the parent has at a column and a row. Beyond a face's edges the parent may have
// no more than a few vertices.
bool isNeeded(int px, int py) {
  if (!kOnSphere) return true;
  Job job = jobs[slotHere()];
  int column = 2 * px - int(job.x_low & 1u);
  int row = 2 * py - int(job.y_low & 1u);
  return column > job.west_edge - 2 && column <= job.east_edge && row > job.north_edge - 4 && row <= job.south_edge + 4;
}

void main() {
  if (beyondRow()) return;
  Job job = jobs[slotHere()];
  int off = int(job.x_low & 1u);
  int px = columnHere();
  int py = rowHere() - 1;
  if (!isNeeded(px, py)) return;
  int side = params.parent_side;
  int plane = side * side;
  int at = slotHere() * params.parent_size + (job.parent_y + py) * side + job.parent_x + px;
  int first = placeInRows(py, 2 * px - off);

  rate[first] = parent[at];
  int edge = kOnSphere ? edgeBeside(2 * px - off + 1, job.west_edge, job.east_edge) : 0;
  rate[first + 1] = middleWithin(parent[at - 1], parent[at], parent[at + 1], parent[at + 2], edge);

  int slope_at = at + (clamp(py, 0, pass.before) - py) * side;
  vec2 here = slopeAt(slope_at);
  vec2 there = slopeAt(slope_at + 1);
  float bend = bendAt(slope_at);
  float bend_there = bendAt(slope_at + 1);
  discharge[first] = packedSlope(here, bend);
  discharge[first + 1] =
      packedSlope(vec2(0.5f * (here.x + there.x), 0.5f * (here.y + there.y)), 0.5f * (bend + bend_there));

  vec2 wide = wideSlopeAt(slope_at);
  vec2 wide_there = wideSlopeAt(slope_at + 1);
  uint water = uint(parentWater(at));
  uint water_there = uint(max(parentWater(at), parentWater(at + 1)));
  movers[first] = packedWords(water, packedWideSlope(wide));
  movers[first + 1] = packedWords(
      water_there, packedWideSlope(vec2(0.5f * (wide.x + wide_there.x), 0.5f * (wide.y + wide_there.y))));

  // Halves of the means of rows: the sums of two quarters.
  int flow_at = at + kLayerFlow * plane;
  int soft_at = at + kLayerSediment * plane;
  int flow_here = parent[flow_at] >> 2;
  int soft_here = parent[soft_at] >> 2;
  movers[pass.plane + first] = packedWords(uint(2 * flow_here), uint(2 * soft_here));
  movers[pass.plane + first + 1] =
      packedWords(uint(flow_here + (parent[flow_at + 1] >> 2)), uint(soft_here + (parent[soft_at + 1] >> 2)));
}
