// What all ground has, and the tints of the layers.
in vec2 grid;
in float heightM;
in float rampFraction;
// From src/codec/surface.ts: normal, depth, discharge.
uniform sampler2D shading;
// From src/codec/cover.ts: colours, and how damp the ground is.
uniform sampler2D cover;
uniform sampler2D overlay;
uniform bool hasOverlay;
uniform sampler2D ramps;
uniform int layer;
uniform float log2Cell;
// The level of the sea, or a low height in worlds without one.
uniform float lowestM;
uniform float contourM;
// In square kilometres: the largest value of the scale, and the value below which it is linear.
uniform vec2 catchments;

// The layers by their index in src/state/view_state.ts.
const int kSatellite = 0;
const int kRelief = 1;
const int kHeights = 2;
const int kSlope = 3;
const int kFlow = 4;
const int kWater = 5;
// Rows of the ramps: all layers after the first, then the sea's.
const int kSlopeRow = 2;
const int kFlowRow = 3;
const int kWaterRow = 4;
const int kSeaRow = 7;
const vec3 kPaper = vec3(0.86, 0.86, 0.85);

vec3 ramp(int row, float at) {
  return texture(ramps, vec2((at * 255.0 + 0.5) / 256.0, (float(row) + 0.5) / 8.0)).rgb;
}

float logFraction(float value, float maxValue, float unit) {
  return log(1.0 + clamp(value, 0.0, maxValue) / unit) / log(1.0 + maxValue / unit);
}

vec3 landTint(float steepness) {
  // Neither soil nor snow stays on steep ground.
  float rock = smoothstep(0.5, 1.2, steepness);
  vec3 bare = mix(vec3(0.58, 0.53, 0.46), vec3(0.55, 0.54, 0.53), rampFraction);
  return mix(ramp(layer - 1, rampFraction), bare, (layer == kRelief ? 0.8 : 0.35) * rock);
}

// The tint of dry ground in the chosen layer.
vec3 groundTint(float steepness, float log2Area) {
  if (layer == kSatellite) return texture(cover, (grid + 0.5) / 257.0).rgb;
  if (layer <= kHeights) return landTint(steepness);
  if (layer == kSlope) return mix(kPaper, ramp(kSlopeRow, degrees(atan(steepness)) / 60.0), 0.92);
  if (layer == kFlow) {
    float fraction = logFraction(exp2(log2Area - 19.93157), catchments.x, catchments.y);
    return mix(kPaper, ramp(kFlowRow, fraction), 0.25 + 0.75 * smoothstep(0.1, 0.5, fraction));
  }
  if (layer == kWater || !hasOverlay) return kPaper;
  float fraction = texture(overlay, (grid + 0.5) / 257.0).r;
  return mix(kPaper, ramp(layer - 1, fraction), 0.95 * smoothstep(0.0, 0.12, fraction));
}
