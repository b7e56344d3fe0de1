// What a vertex knows of its parent's ground, from what ground_slopes.comp left. Included after ground_rows.glsl.

// north and south: the places in ground_rows.glsl of the rows beside the vertex, or of its own row twice.
GroundSite siteAt(int north, int south, int smooth_ground, int loose) {
  vec3 slope_north = slopeOf(discharge[north]);
  vec3 slope_south = slopeOf(discharge[south]);
  vec2 wide_north = wideSlopeOf(uint(movers[north] >> 32));
  vec2 wide_south = wideSlopeOf(uint(movers[south] >> 32));
  Job job = jobs[slotHere()];
  GroundSite site;
  site.x = job.x_low + uint(columnHere());
  site.y = job.y_low + uint(rowHere());
  site.height = smooth_ground;
  site.east = 0.5f * (slope_north.x + slope_south.x);
  site.south = 0.5f * (slope_north.y + slope_south.y);
  site.bend = 0.5f * (slope_north.z + slope_south.z);
  site.loose = loose;
  site.wide_east = 0.5f * (wide_north.x + wide_south.x);
  site.wide_south = 0.5f * (wide_north.y + wide_south.y);
  return site;
}
// The same for the window's ground as it is now.
GroundSite siteHere() {
  int y_low = int(jobs[slotHere()].y_low);
  int north = placeInRows((rowHere() + (y_low & 1)) >> 1, columnHere());
  int south = north + ((rowHere() + y_low) & 1) * pitch();
  int ground = height[pass.front + vertexHere()];
  return siteAt(north, south, ground, ground - layers[inLayer(kPlaneBedrock, vertexHere())]);
}
