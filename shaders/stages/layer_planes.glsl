// The planes of layers that only some worlds have: what they begin with, and how they come over the edges of planets. Included
// after standing.glsl by stages whose parameters have `planes`.
// Level 0 begins with these. river: its way.
void beginPlanes(int i, int river) {
  if (hasLayer(params.planes, kLayerShore)) layers[inLayer(kPlaneShore, i)] = kNoShore;
  if (hasLayer(params.planes, kLayerWay)) layers[inLayer(kPlaneWay, i)] = river;
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = kDry;
  if (hasLayer(params.planes, kLayerVegetation)) layers[inLayer(kPlaneVegetation, i)] = 0;
}
// The mean of the parent's values at these indices, to the last bits.
int meanOf(ivec4 at) { return (parent[at.x] >> 2) + (parent[at.y] >> 2) + (parent[at.z] >> 2) + (parent[at.w] >> 2); }
// The index in `layers` of a vertex of a plane, if the world has its layer; else that of the vertex's uplift, to be
// written before it. A condition would keep compilers from vectors.
int inLayerIfAny(int layer, int layer_plane, int i) {
  return inLayer(kPlaneUplift + layerBit(params.planes, layer) * (layer_plane - kPlaneUplift), i);
}
// What a layer of the parent has around a vertex, on average; anything if the world does not have it. around: the indices of
// the parents' heights; parent_plane: the vertices of a plane of the parent.
int inheritedMean(int layer, ivec4 around, int parent_plane) {
  return meanOf(layerBit(params.planes, layer) * layer * parent_plane + around);
}
// Other levels begin with these, before the uplift is written. level: that of the parents' water.
void inheritPlanes(int i, int ground, int level, ivec4 around, int parent_plane) {
  layers[inLayerIfAny(kLayerShore, kPlaneShore, i)] = kNoShore;
  layers[inLayerIfAny(kLayerWay, kPlaneWay, i)] = 0;
  layers[inLayerIfAny(kLayerVegetation, kPlaneVegetation, i)] = inheritedMean(kLayerVegetation, around, parent_plane);
  layers[inLayerIfAny(kLayerWater, kPlaneWater, i)] = standingLevel(level, ground);
}
// Copies an owner's values, turned by quarters. (A river's way comes over with kSeamRiver.)
void copyPlanes(int i, int from, int turns) {
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = layers[inLayer(kPlaneWater, from)];
  if (hasLayer(params.planes, kLayerVegetation)) {
    layers[inLayer(kPlaneVegetation, i)] = layers[inLayer(kPlaneVegetation, from)];
  }
  if (hasLayer(params.planes, kLayerShore)) {
    layers[inLayer(kPlaneShore, i)] = turnedShore(layers[inLayer(kPlaneShore, from)], turns);
  }
}
