// Changes of the ground that a level has already made. Included after standing.glsl.

// Raises a vertex's ground by `change`, and the bedrock under it by `bedrock`, in height units. It counts as uplift.
void raiseGround(int i, int change, int bedrock, int planes) {
  int ground = height[pass.front + i] + change;
  height[pass.front + i] = ground;
  layers[inLayer(kPlaneUplift, i)] += change;
  layers[inLayer(kPlaneBedrock, i)] += bedrock;
  if (hasLayer(planes, kLayerWater)) {
    layers[inLayer(kPlaneWater, i)] = standingLevel(layers[inLayer(kPlaneWater, i)], ground);
  }
}

// The part of a change that leaves ponds and their shores as they are.
int heldChange(int i, int change, int planes) {
  if (!hasLayer(planes, kLayerWater)) return change;
  return layers[inLayer(kPlaneWater, i)] == kDry ? change : 0;
}
