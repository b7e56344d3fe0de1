// The materials of ground near the eye: fine colour, shape and shine of the cover's classes. The table is in materials.ts.
//
// A tile has its four commonest classes, with their weights at each vertex. Each class stands out where its own noise is
// high, and the class that stands out most covers the pixel. So borders are ragged, and a class still covers about the part
// of the ground that its weight says: the Gumbel-max trick.
//
// OCTAVES is how many sizes of noise may be visible. The painter chooses it for each tile: renderers in software compute both
// sides of a branch, so that only another program saves time.

// The weights of the four classes, from src/codec/cover.ts.
uniform sampler2D parts;
// The looks of the four classes, a column each. Octaves are the noise's sizes, from coarse to fine.
// Colour, and strength of the highlight.
uniform mat4 paint;
// How the colour changes with the coarse noise, and exponent of the highlight.
uniform mat4 shift;
// For each octave how far the class stands out, how steep its shape is, and how much brighter its high parts are: for waves,
// and for stones.
uniform mat4 standsByWave;
uniform mat4 standsByStone;
uniform mat4 slopeByWave;
uniform mat4 slopeByStone;
uniform mat4 grainByWave;
uniform mat4 grainByStone;
// Running water; how much beds differ; sparkle; how wet it always is.
uniform mat4 traits;
// How far the four classes stand out in the same patches.
const vec4 kPatchy = vec4(0.8, -0.8, 0.5, -0.5);

// The colour of mud, as a part of the ground's own brightness.
const vec3 kMud = vec3(0.78, 0.60, 0.42);

// How steep the ripples of water are, by octave.
const vec4 kRippled = vec4(0.05, 0.06, 0.05, 0.03);

// How sharply the class that stands out covers the others.
const float kSharp = 4.0;

// Ground as the light meets it.
struct Ground {
  vec3 tint;
  // The slope of its fine shape, in space.
  vec3 slope;
  // The strength of its highlight, and the exponent.
  float shine;
  float polish;
  float sparkle;
  // How much of it is running water, and how wet the rest is.
  float river;
  float wet;
};

// Waves and stones of one octave, as far as they are visible: slopes per cell in xyz, heights in w.
void shapesOf(int octave, float visible, out vec4 wave, out vec4 stone) {
  vec3 at = latticeAt * float(1 << 2 * octave);
  vec3 cell = floor(at);
  Stone found;
  wave = visible * solidNoise((latticeCell << 2 * octave) + ivec3(cell) + 7919 * octave, at - cell, found);
  // A dome with a facet of its own, and a gap between it and the next one.
  float gap = 1.0 - smoothstep(0.0, 0.2, found.next - found.way.w);
  stone = vec4(0.6 * found.number - 2.3 * found.way.xyz, max(0.9 - 3.0 * found.way.w, -0.4) + 0.35 * found.number.x - 0.6 * gap);
  // Some stones are missing, so that smaller ones show between them.
  float here = smoothstep(-0.6, -0.1, found.number.z) * (1.0 - smoothstep(0.4, 0.6, found.way.w));
  stone = visible * mix(vec4(0.0, 0.0, 0.0, -0.2), stone, here);
}

// The sparkle of single grains of ice, which mirror the sun where they happen to lie towards it.
float sparkleOf(float pixelM) {
  vec3 at = latticeAt * 128.0;
  uvec3 cell = uvec3((latticeCell << 7) + ivec3(floor(at))) * kFactors;
  uint h = hashOf(cell.x ^ cell.y ^ cell.z);
  vec3 facet = threeOf(h) * (2.0 / 1023.0) - 1.0;
  float mirrored = dot(normalize(facet), normalize(sun - normalize(fromEye)));
  return 0.5 * smoothstep(0.985, 0.998, mirrored) * (1.0 - smoothstep(0.3, 1.2, pixelM * latticePerM * 128.0));
}

// What the noise is at a place.
struct Noise {
  // How much of each octave is visible.
  vec4 visible;
  // A column for each octave: slopes per cell in xyz, heights in w.
  mat4 wave;
  mat4 stone;
  // Patches of some metres, three independent ones.
  vec3 patches;
};

// `pixelM` is how much ground a pixel covers.
Noise noiseHere(float pixelM) {
  Noise noise;
  noise.visible = 1.0 - smoothstep(FADES.x, FADES.y, pixelM * latticePerM * vec4(1.0, 4.0, 16.0, 64.0));
  noise.wave = mat4(0.0);
  noise.stone = mat4(0.0);
  shapesOf(0, noise.visible.x, noise.wave[0], noise.stone[0]);
#if OCTAVES > 1
  shapesOf(1, noise.visible.y, noise.wave[1], noise.stone[1]);
#endif
#if OCTAVES > 2
  shapesOf(2, noise.visible.z, noise.wave[2], noise.stone[2]);
#endif
#if OCTAVES > 3
  shapesOf(3, noise.visible.w, noise.wave[3], noise.stone[3]);
#endif
  noise.patches = noise.visible.x * patchesOf(3);
  return noise;
}

// The ripples of water.
Ripples ripplesOf(Noise noise) {
  vec4 heights = vec4(noise.wave[0].w, noise.wave[1].w, noise.wave[2].w, noise.wave[3].w);
  float lace = clamp(0.5 + dot(heights, vec4(0.25, 0.3, 0.3, 0.2)), 0.0, 1.0);
  return Ripples((noise.wave * kRippled).xyz, dot(noise.visible, kRippled) / dot(kRippled, vec4(1.0)), lace);
}

// Returns how far the cover's classes are moved on a tile's grid, in its cells of `cellM` metres, so that no border between
// them follows the grid. Each size of noise moves them by a part of its waves' length, and by less than a cell: what covers
// rocks stays on them. At the tile's edge nothing moves across it.
vec2 movedBy(Noise noise, vec2 grid, float cellM) {
  float perCell = 1.0 / (latticePerM * cellM);
  vec2 moved = (noise.wave * min(0.35 * perCell * vec4(1.0, 0.25, 0.0625, 0.015625), 0.3)).xz;
  moved += noise.patches.yz * min(2.8 * perCell, 0.4);
  vec2 inside = min(grid, 256.0 - grid);
  return clamp(moved, -inside, inside);
}

// `above` is the mean colour of all classes there, as they look from above, and how damp the ground is; `weights` are those of
// `parts`.
Ground groundOf(Noise noise, vec4 above, vec4 weights, float heightM) {
  vec4 waveHeights = vec4(noise.wave[0].w, noise.wave[1].w, noise.wave[2].w, noise.wave[3].w);
  vec4 stoneHeights = vec4(noise.stone[0].w, noise.stone[1].w, noise.stone[2].w, noise.stone[3].w);
  float near = noise.visible.x;

  vec4 stands = waveHeights * standsByWave + stoneHeights * standsByStone;
  vec4 scores = mix(1.0, kSharp, near) * (log(max(weights, 1e-4)) + stands + noise.patches.y * kPatchy);
  vec4 shares = exp(scores - max(max(scores.x, scores.y), max(scores.z, scores.w)));
  shares /= dot(shares, vec4(1.0));

  vec4 painted = paint * shares;
  vec4 shifted = shift * shares;
  vec4 trait = traits * shares;
  Ground ground;
  // Classes beyond the four keep their colour.
  ground.tint = mix(above.rgb, painted.rgb, near * dot(weights, vec4(1.0)));
  ground.tint += shifted.rgb * (noise.patches.x + 0.5 * waveHeights.x + 0.4 * waveHeights.y);
  float grain = dot(grainByWave * shares, waveHeights) + dot(grainByStone * shares, stoneHeights);
  if (trait.y > 0.0) grain += near * trait.y * lineNoise(2.2 * heightM * latticePerM + 0.7 * waveHeights.x);
  // Bright stones in the sun would be white.
  ground.tint *= max(1.0 + grain / (1.0 + 0.9 * max(grain, 0.0)), 0.35);
  ground.slope = (1.0 + 0.7 * noise.patches.x) *
    (noise.wave * (slopeByWave * shares) + noise.stone * (slopeByStone * shares)).xyz;
  ground.river = trait.x;
  ground.sparkle = trait.z;
  // Hollows are wetter.
  float damp = smoothstep(0.25, 0.95, above.a - above.a * (0.25 * noise.patches.x + 0.2 * waveHeights.x + 0.15 * waveHeights.y));
  ground.wet = near * max(damp, trait.w);
  // Wet ground is dark and brown, and what grows there is muddy.
  float grey = dot(ground.tint, vec3(0.3, 0.6, 0.1));
  ground.tint *= 1.0 - 0.4 * ground.wet;
  ground.tint = mix(ground.tint, grey * kMud, 0.6 * damp * near);
  ground.slope *= 1.0 - 0.5 * ground.wet;
  ground.shine = mix(painted.w, 0.35, ground.wet);
  ground.polish = mix(shifted.w, 70.0, ground.wet);
  return ground;
}
