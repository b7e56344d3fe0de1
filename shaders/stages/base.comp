// Level 0's ground: every vertex runs the world's noise program.
#include "bindings.glsl"

PARAMETERS(BaseParams)

#include "standing.glsl"
#include "ground_place.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();

  // The newest value and the current place are not in the arrays: on a processor arrays are slow.
  float stack[kBaseStackDepth + 1];
  float value = 0.0f;
  int below = 0;  // values under it; the first of them is not used
  float kept[kBaseKept];
  Place places[kBasePlaceDepth];
  Place here = placeHere();
  int warps = 0;
  float weight = 1.0f;
  float argument = 0.0f;
  // Some devices take every branch of a loop's body, so an iteration has only one octave's noise.
  int at = 0;
  while (at < params.instructions) {
    BaseInstruction step = program[at];
    while (!isOctave(operationOf(step)) && !isScattered(operationOf(step))) {
      int op = operationOf(step);
      float c = thirdOf(step);
      float next = stack[max(below - 1, 0)];
      if (op == kOpPush) {
        stack[below++] = value;
        value = step.a;
      } else if (op == kOpKeep) {
        kept[keptBy(step)] = value;
      } else if (op == kOpRecall) {
        stack[below++] = value;
        value = kept[keptBy(step)];
      } else if (op == kOpCrest) {
        weight = 1.0f;
      } else if (op >= kOpAdd && op <= kOpMax) {
        float sum = op == kOpAdd ? next + value : next * value;
        float bound = op == kOpMin ? min(next, value) : max(next, value);
        value = op <= kOpMultiply ? sum : bound;
        --below;
      } else if (op == kOpScale) {
        value = value * step.a + step.b;
      } else if (op == kOpCurve) {
        argument = value;
        value = step.a;
      } else if (op == kOpRamp || op == kOpTerrace) {
        float t = (argument - step.a) * c;
        value = value + step.b * (op == kOpRamp ? clamp(t, 0.0f, 1.0f) : smoothUnit(t));
      } else if (op == kOpBlend) {
        below -= 2;
        value = stack[below] + (next - stack[below]) * smoothUnit(value);
      } else if (op == kOpWarp) {
        places[warps++] = here;
        here.x += displacement(next);
        here.y += displacement(value);
        if (kOnSphere) here.z += displacement(stack[below - 2]);
        below -= kOnSphere ? 3 : 2;
        value = stack[below];
      } else if (op == kOpUnwarp) {
        here = places[--warps];
      } else if (op == kOpLatitude) {
        stack[below++] = value;
        value = latitudeSine(placeHere(), jobs[slotHere()].face_bits);
      }
      ++at;
      if (at >= params.instructions) break;
      step = program[at];
    }
    if (at >= params.instructions) break;
    int op = operationOf(step);
    if (kOnSphere && isScattered(op)) {
      uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
      value = value + step.a * (op == kOpPlates ? plateEdge(here, latticeOf(step), seed)
                                                : craterHeight(here, latticeOf(step), seed));
      ++at;
      continue;
    }
    float n = noiseAt(here, latticeOf(step));
    if (op == kOpOctave) {
      value = value + step.a * n;
    } else if (op == kOpBillow) {
      value = value + step.a * (2.0f * abs(n) - 1.0f);
    } else {
      float crest = 1.0f - min(abs(n), 1.0f);
      float signal = crest * crest * weight;
      value = value + step.a * signal;
      weight = clamp(step.b * signal, 0.0f, 1.0f);
    }
    ++at;
  }
  // If a second value is left, it is the steepness of rivers.
  bool has_steepness = below > 1;
  int ground = heightFromMetres(has_steepness ? stack[1] : value);
  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = 0;
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = 0;
  if (hasLayer(params.planes, kLayerShore)) layers[inLayer(kPlaneShore, i)] = kNoShore;
  if (hasLayer(params.planes, kLayerWay)) {
    layers[inLayer(kPlaneWay, i)] = packedRiver(-1, 0, 0, has_steepness ? steepnessCode(value) : 0);
  }
  layers[inLayer(kPlaneBedrock, i)] = ground;
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = kDry;
  if (hasLayer(params.planes, kLayerVegetation)) layers[inLayer(kPlaneVegetation, i)] = 0;
}
