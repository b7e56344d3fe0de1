// Ground is displaced by noise. Included after standing.glsl by stages with RiversParams.

// In 1/256 of the parent's cell, at a place of the window.
ivec2 displacedAt(int column, int row) {
  Place place;
  place.x = globalColumnOf(column) * 256;
  place.y = globalRowOf(row) * 256;
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
  return ivec2(displacedBy(place, 0u, seed, params), displacedBy(place, kStreamSouth, seed, params));
}
