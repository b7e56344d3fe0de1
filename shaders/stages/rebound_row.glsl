// The level's loss, smoothed along the row of a vertex. Included after standing.glsl by stages with ReboundParams.
int smoothedRow(int column, int row) {
  int64_t sum = int64_t(0);
  for (int offset = 1 - params.radius; offset < params.radius; ++offset) {
    int i = ownedPlace(column + offset, row);
    sum += int64_t(start[i] - height[pass.front + i]) * triangleWeight(offset, params);
  }
  return triangleMean(sum, params);
}
