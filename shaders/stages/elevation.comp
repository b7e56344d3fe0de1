// Replaces the level's ground by real land where a raster lies, and blends them near its edge. pass.argument: 0 before
// the level's stages, for the first ground; 1 after the stages.
#include "bindings.glsl"

PARAMETERS(ElevationParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int size = pass.stride * pass.stride;
  int at = slotHere() * kElevationPlanes * size + rowHere() * pass.stride + columnHere();
  int weight = elevation[at + 2 * size];
  if (weight == 0) return;
  int ground = height[pass.front + i];
  int64_t apart = int64_t(heldHeight(elevation[at])) - int64_t(ground);
  int change = int((apart * int64_t(weight)) >> 16);
  height[pass.front + i] = ground + change;
  layers[inLayer(kPlaneBedrock, i)] += change;
  if (pass.argument == 0) {
    start[i] += change;
    return;
  }
  // The ground moves as a whole: no stage dug or laid it down.
  layers[inLayer(kPlaneUplift, i)] += change;
  int river = elevation[at + size];
  if (weight < kElevationHalf || !isRiverKnown(river)) return;
  uint64_t cells = areaOf(riverArea(river));
  uint64_t most = uint64_t(uint(1 << 20));
  flow[i] = int(uint(cells < most ? cells : most)) << 8;
  if (hasLayer(params.planes, kLayerWay)) layers[inLayer(kPlaneWay, i)] = river;
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = kDry;
}
