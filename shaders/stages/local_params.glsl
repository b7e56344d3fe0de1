// The parameters of rivers at a position, because a planet's cells differ in area. Included after
// ground_place.glsl by stages with RiversParams.
RiversParams paramsAt(int column, int row) {
  if (!kOnSphere) return params;
  return withCells(params, areaSquared(frameOf(slotHere(), column, row)));
}
RiversParams paramsHere() { return paramsAt(columnHere(), rowHere()); }
