// Ground and water: tint of the layer, light of the sun and the sky, rivers and lakes, contours, haze. The code before it
// differs between planes and planets: plane_fragment.glsl, planet_fragment.glsl.
out vec4 color;

#ifdef OCTAVES
// Ground near the eye, lit. `river` is how much of it is running water.
vec3 litNear(vec3 normal, Noise noise, float pixelM, out float river) {
  vec3 toEye = -normalize(fromEye);
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
#ifdef DETAIL
  // A pixel covers more ground where the sight is flat. Water is level, whatever its bed is.
  float facing = dot(at.z > 0.0 ? upHere() : normal, -normalize(fromEye));
  float pixelM = pixelAngle * length(fromEye) / sqrt(max(facing, 0.06));
#endif
  float running = 0.0;
  Water standing = calmWater();
#ifdef OCTAVES
  Noise noise = noiseHere(pixelM);
  vec3 lit = litNear(normal, noise, pixelM, running);
#else
  vec3 tint = groundTint(steepness, log2Area);
  vec3 lit = tint * lightOn(normal);
  // Map layers have less light and shade, so that they stay legible.
  if (layer > kHeights) lit = mix(tint, lit, 0.65);
#endif
#ifdef MOTTLED
  lit = mottled(lit, pixelM);
#endif
#ifdef WAVES
#ifdef OCTAVES
  Ripples ripples = ripplesOf(noise);
#else
  Ripples ripples = noRipples();
#endif
  standing = wavesOn(at, up, ripples, pixelM);
#endif
  // The cover already has the rivers.
  bool drawn = layer == kRelief || layer == kHeights || layer == kWater;
  float river = drawn ? riverShare(log2Area) : running;
  float lake = clamp(at.z / max(fwidth(at.z), 1e-5) + 0.5, 0.0, 1.0);
  float calm = layer <= kRelief ? 1.0 : 0.35;
#ifdef OCTAVES
  if (river > 0.0) lit = withStream(lit, at.xy / up, river, noise);
#else
  if (river > 0.0) lit = mix(lit, surfaceOver(underWater(lit, 4.0), calmWater(), 0.7 * calm), 0.8 * river);
#endif
  if (contourM > 0.0) lit = withContours(lit);
  if (lake > 0.0) {
    float depthM = max(at.z, 0.0);
#ifdef WAVES
    vec3 below = underNearWater(lit, depthM, ripples.lace - 0.5, pixelM);
#else
    vec3 below = underWater(lit, depthM);
#endif
    lit = mix(lit, surfaceOver(below, standing, calm), lake);
  }
  if (layer <= kRelief) lit = toneMapped(lit);
  if (hasProfile()) lit = withProfile(lit);
  color = vec4(dithered(throughAir(lit)), 1.0);
}
