// The surface of water: it mirrors the sky and the sun as far as it is smooth, and foam lies on it.
//
// Waves too small for a pixel make the surface rough, which spreads the sun's mirror image and lets less sky be seen in
// water at a flat angle (Cox & Munk, Measurement of the roughness of the sea surface, 1954; Bruneton et al., Real-time
// realistic ocean lighting, 2010).

// The mean square of the slopes of a sea in a breeze, all waves together, and that of the smoothest water.
const float kRoughness = 0.02;
const float kSmoothest = 0.004;
// Wet sand and gravel.
const vec3 kBed = vec3(0.50, 0.45, 0.36);
// The light that deep water scatters back.
const vec3 kWaterBody = vec3(0.085, 0.21, 0.275);
const vec3 kFoam = vec3(0.86, 0.89, 0.90);

struct Water {
  // The slope that pixels show, in the picture's directions.
  vec3 slope;
  // The mean square of the slopes that they don't show.
  float roughness;
  // How much foam covers it.
  float foam;
};

// Waves of centimetres to metres.
struct Ripples {
  // Their slope in space.
  vec3 slope;
  // The part of them that pixels show.
  float visible;
  // Noise of 0 to 1 that tears foam.
  float lace;
};

Water calmWater() { return Water(vec3(0.0), kRoughness, 0.0); }

// Schlick's approximation; the mean of a rough surface is Bruneton's.
float fresnel(float cosine, float roughness) {
  float spread = sqrt(roughness);
  return 0.02 + 0.98 * pow(1.0 - cosine, 5.0 * exp(-2.69 * spread)) / (1.0 + 22.7 * spread * sqrt(spread));
}

// The sun's mirror image in light on matt ground, for Beckmann's distribution of slopes; at most 1.
float glintOf(vec3 normal, vec3 toEye, float roughness) {
  vec3 facet = normalize(sun + toEye);
  float squared = max(dot(normal, facet), 0.05);
  squared *= squared;
  float facing = exp((squared - 1.0) / (squared * roughness)) / (roughness * squared * squared);
  float shown = smoothstep(0.0, 0.1, dot(upHere(), sun)) / (4.0 * max(dot(toEye, upHere()), 0.15));
  return 1.0 - exp(-fresnel(max(dot(facet, toEye), 0.0), 0.0) * facing * shown);
}

// Water over `below`, the light that comes out of it. `calm` is how much it mirrors.
vec3 surfaceOver(vec3 below, Water water, float calm) {
  vec3 up = upHere();
  vec3 toEye = -normalize(fromEye);
  vec3 normal = normalize(up - water.slope + dot(water.slope, up) * up);
  float cosine = clamp(dot(toEye, normal), 0.0, 1.0);
  vec3 mirrored = reflect(-toEye, normal);
  // Water mirrors no sky from below the horizon: another wave stands there, which mirrors some higher sky.
  mirrored = normalize(mirrored + (abs(dot(mirrored, up)) - dot(mirrored, up) + 0.3 * sqrt(water.roughness)) * up);
  // More light enters sides of waves that face the sun.
  below *= 1.0 + 1.5 * dot(normal - up, sun);
  vec3 lit = mix(below, mirroredSky(mirrored), calm * fresnel(cosine, water.roughness));
  lit += calm * glintOf(normal, toEye, water.roughness) * glintHere();
  return mix(lit, kFoam * lightOn(normal), water.foam);
}

// The light that comes out of water of this depth over ground that sends the light `bed` up.
vec3 underWater(vec3 bed, float depthM) {
  vec3 deep = ramp(layer == kWater ? kWaterRow : kSeaRow, logFraction(depthM, 2000.0, 2.0)) * levelHere();
  // Red light fades first.
  vec3 clear = layer == kWater ? vec3(0.0) : 0.8 * exp(-depthM * vec3(0.62, 0.40, 0.36));
  return mix(deep, bed, clear);
}

#ifdef DETAIL
// The same near the eye: water is darker than on a map, and its bed is bare.
vec3 underNearWater(vec3 bed, float depthM, float mottle, float pixelM) {
  vec3 bare = kBed * (1.0 + 0.5 * mottle) * lightOn(upHere());
  vec3 near = mix(kWaterBody * levelHere(), bare, exp(-depthM * vec3(0.75, 0.33, 0.28)));
  return mix(near, underWater(bed, depthM), smoothstep(0.5, 12.0, pixelM));
}
#endif
