// A level's ground from its parent's alone: interpolated, and with what is too small for the parent's cells. Other layers
// are inherited. pass.argument: 1 if ground_displace.comp has interpolated the ground.
#include "bindings.glsl"

PARAMETERS(GroundParams)

#include "standing.glsl"
#include "inherited.glsl"
#include "packed.glsl"
#include "ground_rows.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Job job = jobs[slotHere()];
  int odd = (rowHere() + int(job.y_low)) & 1;
  int north = placeInRows((rowHere() + int(job.y_low & 1u)) >> 1, columnHere());
  int south = north + odd * pitch();
  int interpolated = middle(rate[north - odd * pitch()], rate[north], rate[south], rate[south + odd * pitch()]);
  int smooth_ground = pass.argument == 1 ? height[pass.front + i] : interpolated;

  vec3 slope_north = slopeOf(discharge[north]);
  vec3 slope_south = slopeOf(discharge[south]);
  uint64_t wide_north = movers[north];
  uint64_t wide_south = movers[south];
  vec2 wide_slope_north = wideSlopeOf(uint(wide_north >> 32));
  vec2 wide_slope_south = wideSlopeOf(uint(wide_south >> 32));
  GroundSite site;
  site.x = job.x_low + uint(columnHere());
  site.y = job.y_low + uint(rowHere());
  site.height = smooth_ground;
  site.east = 0.5f * (slope_north.x + slope_south.x);
  site.south = 0.5f * (slope_north.y + slope_south.y);
  site.bend = 0.5f * (slope_north.z + slope_south.z);
  site.wide_east = 0.5f * (wide_slope_north.x + wide_slope_south.x);
  site.wide_south = 0.5f * (wide_slope_north.y + wide_slope_south.y);
  int added = groundDetail(site, params, uvec2(pass.seed_low, pass.seed_high));

  int level = max(int(uint(wide_north)), int(uint(wide_south)));
  int ground = heldGround(smooth_ground + added, smooth_ground, level);
  uint64_t means_north = movers[pass.plane + north];
  uint64_t means_south = movers[pass.plane + south];
  int passed = int(uint(means_north)) + int(uint(means_south));
  int soft = int(uint(means_north >> 32)) + int(uint(means_south >> 32));

  height[pass.front + i] = ground;
  start[i] = interpolated;
  fraction[i] = 0u;
  flow[i] = inheritedFlow(passed);
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = ground - interpolated;
  layers[inLayer(kPlaneBedrock, i)] = ground - soft;
  if (hasLayer(params.planes, kLayerShore)) layers[inLayer(kPlaneShore, i)] = kNoShore;
  if (hasLayer(params.planes, kLayerWay)) layers[inLayer(kPlaneWay, i)] = 0;
  if (hasLayer(params.planes, kLayerVegetation)) {
    ivec4 at = kLayerVegetation * params.parent_side * params.parent_side + parentsAround();
    layers[inLayer(kPlaneVegetation, i)] =
        (parent[at.x] >> 2) + (parent[at.y] >> 2) + (parent[at.z] >> 2) + (parent[at.w] >> 2);
  }
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = standingLevel(level, ground);
}
