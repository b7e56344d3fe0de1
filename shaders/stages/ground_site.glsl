// What a vertex knows of its parent's ground, from what ground_slopes.comp left. Included after ground_rows.glsl and
// ground_place.glsl.

// Where the vertex is, for noise.
GroundSite placedSite() {
  if (kOnSphere) return siteInSpace(placeHere());
  Job job = jobs[slotHere()];
  GroundSite site;
  site.in_space = false;
  site.x = job.x_low + uint(columnHere());
  site.y = job.y_low + uint(rowHere());
  site.z = 0u;
  return site;
}

// The site with its slopes, from the ground's rises by column and by row, over a narrow and a wide part of the ground.
GroundSite slopedSite(GroundSite placed, vec2 rises, vec2 wide) {
  GroundSite site = placed;
  if (kOnSphere) {
    int face = jobs[slotHere()].face;
    Frame frame = frameHere();
    vec2 ascent = onColumns(frame, wide.x, wide.y);
    site.slope = lengthOf(slopeSquared(frame, rises.x, rises.y));
    site.wide_slope = lengthOf(ascent.x * wide.x + ascent.y * wide.y);
    site.wide_ascent = inSpace(face, scaled(frame.east, ascent.x) + scaled(frame.south, ascent.y));
    site.up = inSpace(face, unitVector(spaceCross(frame.east, frame.south)));
    return site;
  }
  site.slope = lengthOf(rises.x * rises.x + rises.y * rises.y);
  site.wide_slope = lengthOf(wide.x * wide.x + wide.y * wide.y);
  site.wide_ascent = vec3(wide.x, wide.y, 0.0f);
  site.up = vec3(0.0f, 0.0f, 1.0f);
  return site;
}

// north and south: the places in ground_rows.glsl of the rows beside the vertex, or of its own row twice.
GroundSite siteAt(int north, int south, int smooth_ground, int loose) {
  vec3 slope_north = slopeOf(discharge[north]);
  vec3 slope_south = slopeOf(discharge[south]);
  vec2 wide_north = wideSlopeOf(uint(movers[north] >> 32));
  vec2 wide_south = wideSlopeOf(uint(movers[south] >> 32));
  vec2 rises = vec2(0.5f * (slope_north.x + slope_south.x), 0.5f * (slope_north.y + slope_south.y));
  vec2 wide = vec2(0.5f * (wide_north.x + wide_south.x), 0.5f * (wide_north.y + wide_south.y));
  GroundSite site = slopedSite(placedSite(), rises, wide);
  site.height = smooth_ground;
  site.bend = 0.5f * (slope_north.z + slope_south.z);
  site.loose = loose;
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
