// Waves of standing water. They stand still: the viewer draws only what changes, and a link always gives the same picture.
// Each wave fades where pixels become too large for it, and what faded makes the water rougher instead. The trains of
// open water are in waves.ts.

// The mean square of the slopes of one train, in the direction of the wind: fewer trains are steeper.
const float kTrainVariance = 0.072 / float(kTrains);
// That of ripples, which only the nearest water shows.
const float kRippleVariance = 0.004;
// The depth in metres at which waves of the sea break.
const float kBreakingM = 1.3;
// Crests in front of a shore: how many turns they have made at a depth of a metre. Waves slow down with the root of the
// depth, so their phase grows with it.
const float kShoreTurns = 4.0;

// The part of a wave that is visible where a pixel has this many of its turns.
float visibleOf(float turnsPerPixel) { return 1.0 - smoothstep(0.2, 0.5, turnsPerPixel); }

// The slope of a wave by its phase in turns, with a mean square of about a half: crests are sharper than troughs.
float slopeAt(float turns) {
  float angle = 6.2831853 * fract(turns);
  return cos(angle) * (0.8 + 0.6 * sin(angle));
}

// Adds the trains of open water: their slope in space. Returns the variance of those that are too small for pixels.
float addTrains(float strength, vec3 gusts, inout vec3 slope) {
  vec3 wind = windInSpace();
  float lost = 0.0;
  for (int n = 0; n < kTrains; ++n) {
    // Whole turns of the cell do not count.
    ivec3 ofCell = kTurns[n] * latticeCell;
    vec3 perCell = vec3(kTurns[n]) / float(kPeriod);
    float turns = float((ofCell.x + ofCell.y + ofCell.z) & (kPeriod - 1)) / float(kPeriod) + dot(perCell, latticeAt);
    float visible = visibleOf(fwidth(turns));
    vec3 along = normalize(perCell);
    float aligned = dot(along, wind);
    float steep = strength * (0.25 + 0.75 * aligned * aligned) * (1.0 + 0.6 * gusts[(n + 1) % 3]);
    slope += sqrt(2.0 * kTrainVariance) * steep * visible * slopeAt(turns + 0.7 * gusts[n % 3]) * along;
    lost += kTrainVariance * steep * steep * (1.0 - visible * visible);
  }
  return lost;
}

// Waves and foam in front of a shore. `deepening` is how fast the depth grows, in the picture's directions; `size` that
// of the waves, 1 on the sea. Crests follow the lines of equal depth, so they turn toward any shore.
void addSurf(float depthM, vec3 deepening, float size, vec3 gusts, float lace, float pixelM, inout Water water) {
  float depth = max(depthM, 1e-3);
  float turns = kShoreTurns * sqrt(depth) + 0.45 * gusts.x;
  float turnsPerPixel = fwidth(turns);
  float visible = visibleOf(turnsPerPixel);
  float turnsPerM = 0.5 * kShoreTurns * inversesqrt(depth);
  // Breaking waves are about as high as half the depth.
  float heightM = size * min(0.25 * depth, 0.35) * (1.0 - smoothstep(2.5, 8.0, depth));
  vec3 slope = 6.2831853 * heightM * turnsPerM * slopeAt(turns) * deepening;
  water.slope += visible * slope / (1.0 + 4.0 * length(slope));
  // Foam begins at the crest and stays behind where the wave came from.
  float behind = fract(turns - 0.25);
  float trail = mix(0.3, pow(1.0 - behind, 3.0) * smoothstep(0.0, turnsPerPixel + 0.02, behind), visible);
  float breaking = 1.0 - smoothstep(0.35 * kBreakingM * size, kBreakingM * size, depth * (1.0 - 0.3 * gusts.y));
  // Waves end before they reach a flat and shallow lagoon.
  breaking *= smoothstep(0.003, 0.02, length(deepening));
  float edge = 0.6 * (1.0 - smoothstep(0.02, 0.18, depth / size));
  float amount = max(breaking * (0.25 + 0.95 * trail), edge) * (1.0 - smoothstep(4.0, 12.0, pixelM));
  water.foam = smoothstep(0.0, 0.35, amount - 0.75 * lace) * step(1e-3, depthM);
}

Ripples noRipples() { return Ripples(vec3(0.0), 0.0, 0.5); }

// The water where the pixel is. `at` is from the tile's shading, `bedUp` the upward part of the bed's normal.
Water wavesOn(vec4 at, float bedUp, Ripples ripples, float pixelM) {
  float depthM = at.z;
  // Lakes have less room for waves than the sea.
  float size = abs(heightM - lowestM) < 0.5 ? 1.0 : 0.3;
  vec3 gusts = patchesOf(6);
  float open = size * smoothstep(0.2, 7.0, depthM) * (1.0 + 0.3 * gusts.z);
  vec3 slope = (0.6 + 0.4 * gusts.z) * sqrt(size) * ripples.slope;
  float lost = addTrains(open, gusts, slope) + size * kRippleVariance * (1.0 - ripples.visible * ripples.visible);
  Water water = Water(fromSpace(slope), lost + kSmoothest, 0.0);
  addSurf(depthM, inPicture(at.xy / bedUp, 0.0), size, gusts, ripples.lace, pixelM, water);
  return water;
}
