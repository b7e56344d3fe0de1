// What a row says of one of its vertices (packedRow). Included after standing.glsl and water.glsl by stages with
// ShoreParams.
bool isWater(int i) {
  int ground = height[pass.front + i];
  return params.sea_level > ground || underWater(waterAt(i), ground);
}

int rowAt(int column, int row) {
  bool here = isWater(ownedPlace(column, row));
  int nearest = kNoneInRow;
  for (int dx = params.radius; dx > 0; --dx) {
    if (isWater(ownedPlace(column + dx, row)) != here) nearest = dx;
    if (isWater(ownedPlace(column - dx, row)) != here) nearest = -dx;
  }
  return packedRow(here, nearest);
}
