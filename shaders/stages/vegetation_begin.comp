// Finds what can live where, and the plants that the level starts with: the low word of a mover is
// the density, the high word the habitat.
#include "bindings.glsl"

PARAMETERS(VegetationParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "water.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  int h = pass.front + i;
  int ground = height[h];
  float rise_x = differenceOf(height[h + 1], height[h - 1]) * params.inverse_cell * 0.5f;
  float rise_y = differenceOf(height[h + pass.stride], height[h - pass.stride]) * params.inverse_cell * 0.5f;
  Habitat habitat = habitatOf(ground, slopeSquaredHere(rise_x, rise_y), flow[i],
                              underWater(waterAt(i), ground), params);
  int density = min(layers[inLayer(kPlaneVegetation, i)], habitat.most);
  uint packed = (uint(habitat.most) << 1) | (habitat.fertile ? 1u : 0u);
  movers[i] = (uint64_t(packed) << 32) | uint64_t(uint(density));
}
