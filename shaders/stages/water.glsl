// Standing water in the window: the sea's and, if the world has the layer, that of lakes. Included
// after standing.glsl by stages whose parameters have sea_level and planes.
int waterAt(int i) {
  return hasLayer(params.planes, kLayerWater)
             ? max(params.sea_level, layers[inLayer(kPlaneWater, i)])
             : params.sea_level;
}
// The level of the water that stands at a vertex (the sea's also at its shore), or kDry.
int standingWater(int i) {
  int ground = height[pass.front + i];
  return ground <= params.sea_level ? params.sea_level : standingLevel(waterAt(i), ground);
}
// The surface of ground and water.
int surfaceAt(int i) { return max(height[pass.front + i], waterAt(i)); }
