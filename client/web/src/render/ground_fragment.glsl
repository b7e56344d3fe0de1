// Ground and water: tint of the layer, light of the sun and the sky, rivers and lakes, contours, haze. The code before it
// differs between planes and planets: plane_fragment.glsl, planet_fragment.glsl.
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
uniform float contourM;
// In square kilometres: the largest value of the scale, and the value below which it is linear.
uniform vec2 catchments;
out vec4 color;

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

vec3 lightOn(vec3 normal) {
  // Vertical ground sees half the sky, and the ground around it.
  float open = 0.5 + 0.5 * dot(normal, upHere());
  vec3 ambient = skyHere() * open * open + groundGlow() * (1.0 - open);
  return ambient + sunHere() * max(dot(normal, sun), 0.0);
}

#ifdef OCTAVES
// Ground near the eye, lit. `river` is how much of it is running water.
vec3 litNear(vec3 normal, out float river) {
  vec3 toEye = -normalize(fromEye);
  // A pixel covers more ground where the sight is flat.
  float pixelM = pixelAngle * length(fromEye) / sqrt(max(dot(normal, toEye), 0.06));
  Noise noise = noiseHere(pixelM);
  vec2 at = (grid + movedBy(noise, grid, exp2(log2Cell)) + 0.5) / 257.0;
  Ground ground = groundOf(noise, texture(cover, at), texture(parts, at), heightM);
  river = ground.river;
  vec3 slope = fromSpace(ground.slope);
  normal = normalize(normal - slope + dot(slope, normal) * normal);
  float toSun = max(dot(normal, sun), 0.0);
  float glance = pow(max(dot(normal, normalize(sun + toEye)), 0.0), ground.polish);
  float grains = ground.sparkle > 0.0 ? ground.sparkle * sparkleOf(pixelM) : 0.0;
  vec3 lit = ground.tint * lightOn(normal) + (ground.shine * glance + grains) * smoothstep(0.0, 0.2, toSun) * sunHere();
  if (ground.wet <= 0.0) return lit;
  float away = 1.0 - max(dot(normal, toEye), 0.0);
  float mirror = ground.wet * ground.wet * (0.03 + 0.4 * away * away * away * away);
  return mix(lit, mirroredSky(reflect(-toEye, normal)), mirror);
}
#endif

// How much of a river shows, by log2 of its catchment in square metres. Small streams show if cells are small.
float riverShare(float log2Area) {
  float from = max(19.0, 2.0 * log2Cell + 7.5);
  return smoothstep(from, from + 3.0, log2Area);
}

vec3 waterColor(vec3 bed, float depthM, float calm) {
  vec3 toEye = -normalize(fromEye);
  vec3 deep = ramp(layer == kWater ? kWaterRow : kSeaRow, logFraction(depthM, 2000.0, 2.0)) * levelHere();
  float clear = layer == kWater ? 0.0 : 0.75 * exp(-depthM / 2.5);
  float away = 1.0 - clamp(dot(toEye, upHere()), 0.0, 1.0);
  float fresnel = 0.02 + 0.6 * away * away * away * away * away;
  vec3 mirrored = normalize(2.0 * dot(toEye, upHere()) * upHere() - toEye + 0.02 * upHere());
  vec3 lit = mix(mix(deep, bed, clear), mirroredSky(mirrored), fresnel * calm);
  float glint = pow(max(dot(mirrored, sun), 0.0), 160.0);
  return lit + 0.5 * calm * glint * glintHere();
}

// The part of the pixel that a line covers; lines are where `value` is a multiple of `step`.
float lineShare(float value, float step, float widthPx) {
  float at = value / step;
  float perPixel = max(fwidth(at), 1e-6);
  float away = abs(fract(at - 0.5) - 0.5) / perPixel;
  return clamp(0.5 * widthPx + 0.5 - away, 0.0, 1.0) * (1.0 - smoothstep(0.2, 0.45, perPixel));
}

vec3 withContours(vec3 under) {
  float thin = 0.40 * lineShare(heightM, contourM, 1.0);
  float thick = 0.55 * lineShare(heightM, 5.0 * contourM, 1.8);
  return mix(under, vec3(0.24, 0.15, 0.07), max(thin, thick));
}

vec3 withProfile(vec3 under) {
  float away = fromProfile() / max(length(fwidth(fromEye.xz)) * 0.7, 1e-6);
  return mix(under, vec3(0.86, 0.16, 0.12), clamp(2.4 - away, 0.0, 1.0));
}

void main() {
  vec4 at = texture(shading, (grid + 0.5) / 257.0);
  float up = sqrt(max(1.0 - dot(at.xy, at.xy), 1e-4));
  float steepness = length(at.xy) / up;
  float log2Area = at.w + 2.0 * log2Cell;

  vec2 shown = shownRelief(at.xy);
  vec3 normal = inPicture(shown, sqrt(max(1.0 - dot(shown, shown), 1e-4)));
  float running = 0.0;
#ifdef OCTAVES
  vec3 lit = litNear(normal, running);
#else
  vec3 tint = groundTint(steepness, log2Area);
  vec3 lit = tint * lightOn(normal);
  // Map layers have less light and shade, so that they stay legible.
  if (layer > kHeights) lit = mix(tint, lit, 0.65);
#endif
  // The cover already has the rivers.
  bool drawn = layer == kRelief || layer == kHeights || layer == kWater;
  float river = drawn ? riverShare(log2Area) : running;
  float lake = clamp(at.z / max(fwidth(at.z), 1e-5) + 0.5, 0.0, 1.0);
  float calm = layer <= kRelief ? 1.0 : 0.35;
  if (river > 0.0) lit = mix(lit, waterColor(lit, 4.0, 0.7 * calm), 0.8 * river);
  if (contourM > 0.0) lit = withContours(lit);
  if (lake > 0.0) lit = mix(lit, waterColor(lit, max(at.z, 0.0), calm), lake);
  if (layer <= kRelief) lit = toneMapped(lit);
  if (hasProfile()) lit = withProfile(lit);
  color = vec4(dithered(throughAir(lit)), 1.0);
}
