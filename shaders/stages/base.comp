// Level 0's ground: every vertex runs the world's noise program.
#include "bindings.glsl"

PARAMETERS(BaseParams)

#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  uvec2 seed = uvec2(pass.seed_low, pass.seed_high);

  Place places[kBasePlaceDepth];
  places[0].x = globalColumn() * 256;
  places[0].y = globalRow() * 256;
  float stack[kBaseStackDepth];
  int top = -1;
  int place = 0;
  float weight = 1.0f;
  float argument = 0.0f;
  for (int at = 0; at < params.instructions; ++at) {
    BaseInstruction step = program[at];
    if (step.op == kOpPush) {
      stack[++top] = step.a;
    } else if (step.op == kOpOctave) {
      float n = gradientNoise(places[place], step.lattice, seed);
      stack[top] = stack[top] + step.a * n;
    } else if (step.op == kOpBillow) {
      float n = gradientNoise(places[place], step.lattice, seed);
      stack[top] = stack[top] + step.a * (2.0f * abs(n) - 1.0f);
    } else if (step.op == kOpRidged) {
      float n = 1.0f - min(abs(gradientNoise(places[place], step.lattice, seed)), 1.0f);
      float signal = n * n * weight;
      stack[top] = stack[top] + step.a * signal;
      weight = clamp(step.b * signal, 0.0f, 1.0f);
    } else if (step.op == kOpCrest) {
      weight = 1.0f;
    } else if (step.op == kOpAdd) {
      stack[top - 1] = stack[top - 1] + stack[top];
      --top;
    } else if (step.op == kOpMultiply) {
      stack[top - 1] = stack[top - 1] * stack[top];
      --top;
    } else if (step.op == kOpMin) {
      stack[top - 1] = min(stack[top - 1], stack[top]);
      --top;
    } else if (step.op == kOpMax) {
      stack[top - 1] = max(stack[top - 1], stack[top]);
      --top;
    } else if (step.op == kOpScale) {
      stack[top] = stack[top] * step.a + step.b;
    } else if (step.op == kOpBlend) {
      float mask = smoothUnit(stack[top]);
      top -= 2;
      stack[top] = stack[top] + (stack[top + 1] - stack[top]) * mask;
    } else if (step.op == kOpCurve) {
      argument = stack[top];
      stack[top] = step.a;
    } else if (step.op == kOpRamp) {
      stack[top] = stack[top] + step.b * clamp((argument - step.a) * step.c, 0.0f, 1.0f);
    } else if (step.op == kOpTerrace) {
      stack[top] = stack[top] + step.b * smoothUnit((argument - step.a) * step.c);
    } else if (step.op == kOpWarp) {
      places[place + 1].x = places[place].x + displacement(stack[top - 1]);
      places[place + 1].y = places[place].y + displacement(stack[top]);
      ++place;
      top -= 2;
    } else if (step.op == kOpUnwarp) {
      --place;
    }
  }
  int ground = heightFromMetres(stack[0]);
  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = 0;
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = 0;
  if (hasLayer(params.planes, kLayerShore)) layers[inLayer(kPlaneShore, i)] = kNoShore;
  if (hasLayer(params.planes, kLayerWay)) {
    // A second value is the steepness of rivers.
    layers[inLayer(kPlaneWay, i)] = packedRiver(-1, 0, top > 0 ? steepnessCode(stack[1]) : 0);
  }
  layers[inLayer(kPlaneBedrock, i)] = ground;
  if (hasLayer(params.planes, kLayerWater)) layers[inLayer(kPlaneWater, i)] = kDry;
  if (hasLayer(params.planes, kLayerVegetation)) layers[inLayer(kPlaneVegetation, i)] = 0;
}
