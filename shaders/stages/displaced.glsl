// Parents' vertices are displaced at random. They are named by their place after the one that
// parentHere gives the window's first vertex. Included after standing.glsl by stages with RiversParams.
uint parentHash(int px, int py, uint stream) {
  Job job = jobs[slotHere()];
  int64_t x = int64_t((uint64_t(job.x_high) << 32) | uint64_t(job.x_low));
  int64_t y = int64_t((uint64_t(job.y_high) << 32) | uint64_t(job.y_low));
  return hashPoint(uvec2(pass.seed_low, pass.seed_high), params.stream + stream, (x >> 1) + px,
                   (y >> 1) + py);
}

// How far, in 1/256 of the parent's cell.
ivec2 parentJitter(int px, int py) {
  uint chance = parentHash(px, py, 0u);
  return ivec2(jitterOf(chance, params), jitterOf(chance >> 16, params));
}
