// A level's first ground and the layers on it, from its parent's.
#include "bindings.glsl"

PARAMETERS(UpsampleParams)

#include "standing.glsl"
#include "layer_planes.glsl"
#include "inherited.glsl"
#include "ground_place.glsl"
#include "noise_table.glsl"

float noiseHere() {
  if (kOnSphere) return noiseAt(placeHere(), params.lattice);
  return tabledNoise(tableOf(slotHere(), params.lattice), params.lattice, 0, slotHere(), columnHere(), rowHere());
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();

  int at = parentHere();
  int plane = params.parent_side * params.parent_side;
  ivec4 around = parentsAround();

  int smooth_ground = parentGround();
  int rise_x = parent[at + 1] - parent[at];
  int rise_y = parent[at + params.parent_side] - parent[at];
  if (kOnSphere) {
    vec4 steps = stepsHere();
    rise_x = int(float(heldDifference(parent[at + 1], parent[at])) * reciprocal(steps.x));
    rise_y = int(float(heldDifference(parent[at + params.parent_side], parent[at])) * reciprocal(steps.z));
  }
  float noise = noiseHere();
  int ground = heldHeight(smooth_ground + detailHeight(noise, rise_x, rise_y, params.detail));
  int level = max(max(parentWater(around.x), parentWater(around.y)),
                  max(parentWater(around.z), parentWater(around.w)));
  ground = heldGround(ground, smooth_ground, level);
  int passed = meanOf(kLayerFlow * plane + around);

  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = inheritedFlow(passed);
  inheritPlanes(i, ground, level, around, plane);
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = 0;
  layers[inLayer(kPlaneBedrock, i)] = ground - meanOf(kLayerSediment * plane + around);
}
