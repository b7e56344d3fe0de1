// Changes of the ground that a level has already made. Included after standing.glsl.

// Raises a vertex's ground by `change`, and the bedrock under it by `bedrock`, in height units. It counts as uplift.
void raiseGround(int i, int change, int bedrock, int planes) {
  int before = height[pass.front + i];
  int ground = heldHeight(before + change);
  height[pass.front + i] = ground;
  layers[inLayer(kPlaneUplift, i)] += ground - before;
  layers[inLayer(kPlaneBedrock, i)] = heldHeight(layers[inLayer(kPlaneBedrock, i)] + bedrock);
  if (hasLayer(planes, kLayerWater)) {
    layers[inLayer(kPlaneWater, i)] = standingLevel(layers[inLayer(kPlaneWater, i)], ground);
  }
}

// Raises this invocation's ground by a form, and the bedrock under it too if is_rock is 1. Ponds stay as they are.
void addForm(int form, int is_rock, int planes) {
  int i = vertexHere();
  bool is_pond = hasLayer(planes, kLayerWater) && layers[inLayer(kPlaneWater, i)] != kDry;
  int change = is_pond ? 0 : form;
  raiseGround(i, change, is_rock * change, planes);
}
