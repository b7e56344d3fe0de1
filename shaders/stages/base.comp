// Level 0's ground: every vertex runs the world's noise program.
#include "bindings.glsl"

PARAMETERS(BaseParams)

#include "standing.glsl"
#include "layer_planes.glsl"
#include "ground_place.glsl"

// A vertex's registers (bindings.glsl). The newest value and the current place are not in arrays: there arrays are slow
// on some devices.
REGISTER(float, value)
REGISTERS(float, stack, kBaseStackDepth + 1)
REGISTERS(float, kept, kBaseKept)
REGISTER(int64_t, here_x)
REGISTER(int64_t, here_y)
REGISTER(int64_t, here_z)
REGISTERS(int64_t, before_x, kBasePlaceDepth)
REGISTERS(int64_t, before_y, kBasePlaceDepth)
REGISTERS(int64_t, before_z, kBasePlaceDepth)
REGISTER(float, weight)
REGISTER(float, argument)
// From the middle of the placed shape, and the signed square of the distance to it.
REGISTER(float, from_x)
REGISTER(float, from_y)
REGISTER(float, from_z)
REGISTER(float, nearest)
// The same at every vertex: how many values lie under the newest, of which the first is not used; and how many warps are
// under way.
int below;
int warps;
// The corner before this one, of the placed shape.
vec2 corner;

void beginProgram() {
  below = 0;
  warps = 0;
  corner = vec2(0.0f, 0.0f);
}

void begin() {
  Place here = placeHere();
  OF(here_x) = here.x;
  OF(here_y) = here.y;
  OF(here_z) = here.z;
  OF(value) = 0.0f;
  OF(weight) = 1.0f;
  OF(argument) = 0.0f;
  OF(from_x) = 0.0f;
  OF(from_y) = 0.0f;
  OF(from_z) = 0.0f;
  OF(nearest) = 1.0f;
}

// Runs an instruction of a placed shape.
void computeShape(int op, BaseInstruction step) {
  vec2 from = vec2(OF(from_x), OF(from_y));
  if (op == kOpRuler) {
    int axis = axisOf(step);
    if (axis == 2) {
      OF(from_z) = onRuler(OF(here_z), int64_t(0), rulerOf(step));
    } else {
      float along = onRuler(OF(here_x), OF(here_y), rulerOf(step));
      OF(from_x) = axis == 0 ? along : from.x;
      OF(from_y) = axis == 0 ? from.y : along;
    }
  } else if (op == kOpMap) {
    vec2 flat_from = onMap(vec3(from.x, from.y, OF(from_z)), vec2(step.a, step.b), thirdOf(step));
    OF(from_x) = flat_from.x;
    OF(from_y) = flat_from.y;
  } else if (op == kOpCorner) {
    OF(nearest) = nearestOfCorner(from, vec2(step.a, step.b));
  } else if (op == kOpLine) {
    OF(nearest) = nearestWithLine(OF(nearest), from, corner, vec2(step.a, step.b));
  } else if (op == kOpNearest) {
    float distance = step.a * lengthOf(abs(OF(nearest)));
    AT(stack, below) = OF(value);
    OF(value) = step.b > 0.0f && OF(nearest) > 0.0f ? -distance : distance;
  } else if (op == kOpAhead) {
    AT(stack, below) = OF(value);
    OF(value) = step.a * from.x + step.b * from.y;
  }
}

// Runs an instruction that is no noise. op: its operation.
void compute(int op, BaseInstruction step) {
  if (op == kOpPush) {
    AT(stack, below) = OF(value);
    OF(value) = step.a;
  } else if (op == kOpKeep) {
    AT(kept, keptBy(step)) = OF(value);
  } else if (op == kOpRecall) {
    AT(stack, below) = OF(value);
    OF(value) = AT(kept, keptBy(step));
  } else if (op == kOpCrest) {
    OF(weight) = 1.0f;
  } else if (op >= kOpAdd && op <= kOpMax) {
    float next = AT(stack, below - 1);
    float sum = op == kOpAdd ? next + OF(value) : next * OF(value);
    float bound = op == kOpMin ? min(next, OF(value)) : max(next, OF(value));
    OF(value) = op <= kOpMultiply ? sum : bound;
  } else if (op == kOpCurve) {
    OF(argument) = OF(value);
    OF(value) = step.a;
  } else if (op == kOpRamp || op == kOpTerrace) {
    float t = (OF(argument) - step.a) * thirdOf(step);
    OF(value) = OF(value) + step.b * (op == kOpRamp ? clamp(t, 0.0f, 1.0f) : smoothUnit(t));
  } else if (op == kOpBlend) {
    float low = AT(stack, below - 2);
    OF(value) = low + (AT(stack, below - 1) - low) * smoothUnit(OF(value));
  } else if (op == kOpWarp) {
    AT(before_x, warps) = OF(here_x);
    AT(before_y, warps) = OF(here_y);
    AT(before_z, warps) = OF(here_z);
    OF(here_x) += displacement(AT(stack, below - 1));
    OF(here_y) += displacement(OF(value));
    if (kOnSphere) OF(here_z) += displacement(AT(stack, below - 2));
    OF(value) = AT(stack, below - (kOnSphere ? 3 : 2));
  } else if (op == kOpUnwarp) {
    OF(here_x) = AT(before_x, warps - 1);
    OF(here_y) = AT(before_y, warps - 1);
    OF(here_z) = AT(before_z, warps - 1);
  } else if (op == kOpLatitude) {
    AT(stack, below) = OF(value);
    OF(value) = latitudeSine(placeHere(), jobs[slotHere()].face_bits);
  } else {
    computeShape(op, step);
  }
}

// What the instruction does to the counters.
void advance(int op, BaseInstruction step) {
  below += valuesLeftBy(op, kOnSphere);
  warps += op == kOpWarp ? 1 : (op == kOpUnwarp ? -1 : 0);
  if (op == kOpCorner || op == kOpLine) corner = vec2(step.a, step.b);
}

void addNoise(int op, BaseInstruction step) {
  Place here;
  here.x = OF(here_x);
  here.y = OF(here_y);
  here.z = OF(here_z);
  if (kOnSphere && isScattered(op)) {
    uvec2 seed = uvec2(pass.seed_low, pass.seed_high);
    OF(value) = OF(value) + step.a * (op == kOpPlates ? plateEdge(here, latticeOf(step), seed)
                                                      : craterHeight(here, latticeOf(step), seed));
    return;
  }
  float n = noiseAt(here, latticeOf(step));
  if (op == kOpOctave) {
    OF(value) = OF(value) + step.a * n;
  } else if (op == kOpBillow) {
    OF(value) = OF(value) + step.a * (2.0f * abs(n) - 1.0f);
  } else {
    float crest = 1.0f - min(abs(n), 1.0f);
    float signal = crest * crest * OF(weight);
    OF(value) = OF(value) + step.a * signal;
    OF(weight) = clamp(step.b * signal, 0.0f, 1.0f);
  }
}

void finish() {
  int i = vertexHere();
  // If a second value is left, it is the steepness of rivers.
  bool has_steepness = below > 1;
  int ground = heightFromMetres(has_steepness ? AT(stack, 1) : OF(value));
  height[pass.front + i] = ground;
  start[i] = ground;
  fraction[i] = 0u;
  flow[i] = 0;
  layers[inLayer(kPlaneWashLoad, i)] = 0;
  layers[inLayer(kPlaneUplift, i)] = 0;
  layers[inLayer(kPlaneBedrock, i)] = ground;
  beginPlanes(i, packedRiver(-1, 0, 0, has_steepness ? steepnessCode(OF(value)) : 0));
}

void main() {
  if (outsidePass()) return;
  beginProgram();
  begin();
  // Some devices take every branch of a loop's body, so an iteration has only one octave's noise.
  int at = 0;
  while (at < params.instructions) {
    BaseInstruction step = program[at];
    while (!isNoise(operationOf(step))) {
      compute(operationOf(step), step);
      advance(operationOf(step), step);
      ++at;
      if (at >= params.instructions) break;
      step = program[at];
    }
    if (at >= params.instructions) break;
    addNoise(operationOf(step), step);
    ++at;
  }
  finish();
}
