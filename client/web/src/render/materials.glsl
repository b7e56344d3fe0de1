// The materials of ground near the eye: fine colour, shape and shine of the cover's classes. The table is in materials.ts.
//
// A tile has its four commonest classes, with their weights at each vertex. Each class stands out where its own noise is
// high, and the class that stands out most covers the pixel. So borders are ragged, and a class still covers about the part
// of the ground that its weight says: the Gumbel-max trick.

// The place in cells of the coarsest noise, from latticeCell.
in vec3 latticeAt;
uniform ivec3 latticeCell;
uniform float latticePerM;
// The weights of the four classes, from src/codec/cover.ts.
uniform sampler2D parts;
// For each of the four classes the looks of materials.ts.
uniform vec4 materials[28];

const int kLooks = 7;
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
  // How much of it is running water, and how wet the rest is.
  float river;
  float wet;
};

vec4 look(int n, vec4 shares) {
  return shares.x * materials[n] + shares.y * materials[kLooks + n] + shares.z * materials[2 * kLooks + n] +
         shares.w * materials[3 * kLooks + n];
}

// Turns waves into stones: rounded, with sharp gaps between them.
vec4 shaped(vec4 noise, vec4 stony, vec4 visible) { return mix(noise, 2.4 * abs(noise) - 0.85 * visible, stony); }

// `cover` is the mean colour of all classes there, `weights` are those of `parts`, `pixelM` is how much ground a pixel
// covers, and `bank` is how wet the ground is beside water, 0 to 1.
Ground groundOf(vec3 cover, vec4 weights, float heightM, float pixelM, float bank) {
  // Noise fades out before its waves become as small as pixels.
  vec4 visible = 1.0 - smoothstep(0.15, 0.55, pixelM * latticePerM * vec4(1.0, 4.0, 16.0, 64.0));
  vec4 noise = vec4(0.0);
  mat4x3 slopes = mat4x3(0.0);
  for (int octave = 0; octave < 4; ++octave) {
    if (visible[octave] <= 0.0) break;
    vec3 at = latticeAt * float(1 << 2 * octave);
    vec3 cell = floor(at);
    vec4 found = visible[octave] * solidNoise((latticeCell << 2 * octave) + ivec3(cell) + 7919 * octave, at - cell);
    noise[octave] = found.w;
    slopes[octave] = found.xyz;
  }

  vec4 stands;
  for (int n = 0; n < 4; ++n) {
    stands[n] = dot(materials[kLooks * n + 2], shaped(noise, materials[kLooks * n + 4], visible));
  }
  vec4 scores = mix(1.0, kSharp, visible.x) * (log(max(weights, 1e-4)) + stands);
  vec4 shares = exp(scores - max(max(scores.x, scores.y), max(scores.z, scores.w)));
  shares /= dot(shares, vec4(1.0));
  // Classes beyond the four keep their colour.
  float known = dot(weights, vec4(1.0));

  vec4 stony = look(4, shares);
  vec4 shape = shaped(noise, stony, visible);
  vec4 paint = look(0, shares);
  vec4 shift = look(1, shares);
  vec4 extra = look(6, shares);
  Ground ground;
  ground.tint = cover + known * paint.rgb - look(0, weights).rgb;
  ground.tint += shift.rgb * (0.6 * noise.x + 0.4 * noise.y);
  ground.tint *= clamp(1.0 + dot(look(5, shares), shape), 0.35, 1.6);
  if (extra.y > 0.0) ground.tint *= 1.0 + visible.x * extra.y * lineNoise(2.2 * heightM * latticePerM + 0.7 * noise.x);
  ground.slope = slopes * (look(3, shares) * mix(vec4(1.0), 2.4 * sign(noise), stony));
  ground.river = extra.x;
  ground.wet = clamp(max(bank, extra.w), 0.0, 1.0);
  ground.tint *= 1.0 - 0.42 * ground.wet;
  ground.slope *= 1.0 - 0.5 * ground.wet;
  ground.shine = mix(paint.w, 0.35, ground.wet);
  ground.polish = mix(shift.w, 70.0, ground.wet);
  return ground;
}
