// A level's ground from its parent's alone: interpolated, and with what is too small for the parent's cells. Other layers
// are inherited. pass.argument: 1 if ground_displace.comp has interpolated the ground.
#include "bindings.glsl"

PARAMETERS(GroundParams)

#include "standing.glsl"
#include "layer_planes.glsl"
#include "inherited.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"
#include "ground_place.glsl"
#include "ground_site.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Job job = jobs[slotHere()];
  int odd = (rowHere() + int(job.y_low)) & 1;
  int north = placeInRows((rowHere() + int(job.y_low & 1u)) >> 1, columnHere());
  int south = north + odd * pitch();
  int interpolated =
      middleWithin(rate[north - odd * pitch()], rate[north], rate[south], rate[south + odd * pitch()], edgeRow());
  int smooth_ground = pass.argument == 1 ? height[pass.front + i] : interpolated;

  uint64_t means_north = movers[pass.plane + north];
  uint64_t means_south = movers[pass.plane + south];
  int passed = int(uint(means_north)) + int(uint(means_south));
  int soft = int(uint(means_north >> 32)) + int(uint(means_south >> 32));

  GroundSite site = siteAt(north, south, smooth_ground, soft);
  GroundDetail detail = groundDetail(site, params, uvec2(pass.seed_low, pass.seed_high));
  int level = max(int(uint(movers[north])), int(uint(movers[south])));
  int ground = heldGround(heldHeight(smooth_ground + detail.added), smooth_ground, level);
  int loose = looseGround(soft, detail.rock);

  height[pass.front + i] = ground;
  start[i] = interpolated;
  fraction[i] = 0u;
  flow[i] = inheritedFlow(passed);
  inheritPlanes(i, ground, level, parentsAround(), params.parent_side * params.parent_side);
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = ground - interpolated;
  layers[inLayer(kPlaneBedrock, i)] = ground - loose;
}
