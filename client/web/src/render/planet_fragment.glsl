// What ground_fragment.glsl needs for ground on a planet.
in vec3 fromEye;
in vec3 upward;
in vec3 sunHereV;
in vec3 skyHereV;
in vec3 airLight;
in vec3 airThrough;
// See planet_vertex.glsl.
uniform mat3 axes;
// The size of a pixel at a distance of a metre.
uniform float pixelAngle;
#ifdef DETAIL
uniform mat3 toSpace;
#endif
// A line on the ground: the planes of its great circle and of its ends; its points are at 0 or more from the latter.
uniform vec4 profile[3];

vec3 upHere() { return normalize(upward); }
vec3 sunHere() { return sunHereV; }
vec3 skyHere() { return skyHereV; }
vec3 levelHere() { return skyHereV + sunHereV * max(dot(upHere(), sun), 0.0); }
vec3 groundGlow() { return 0.10 * levelHere(); }
vec3 glintHere() { return sunHereV * vec3(1.0, 0.93, 0.8) * smoothstep(-0.05, 0.05, dot(upHere(), sun)); }
vec3 throughAir(vec3 lit) { return plainBackground.a > 0.0 ? lit : lit * airThrough + airLight; }

// The sky by day as water mirrors it: brighter at the horizon.
vec3 mirroredSky(vec3 direction) {
  return skyHereV * mix(vec3(1.7), vec3(0.75, 1.05, 1.45), clamp(dot(direction, upHere()) * 1.8, 0.0, 1.0));
}

// A normal from its parts along the face's columns, at a right angle to them, and upward.
vec3 inPicture(vec2 level, float up) {
  vec3 column = normalize(axes[1] - dot(axes[1], upHere()) * upHere());
  return level.x * column + level.y * cross(column, upHere()) + up * upHere();
}

#ifdef DETAIL
// Turns directions of space into the picture's.
vec3 fromSpace(vec3 direction) { return direction * toSpace; }
// Winds blow along the circles of latitude.
vec3 windInSpace() {
  vec3 wind = cross(vec3(0.0, 0.0, 1.0), toSpace * upHere());
  return wind / max(length(wind), 0.1);
}
#endif

// From far away slopes average out: the rest that pixels of kilometres keep is exaggerated.
vec2 shownRelief(vec2 level) {
  float pixelM = pixelAngle * length(fromEye);
  float factor = 1.0 + 0.55 * pow(max(log2(pixelM / 300.0), 0.0), 1.6);
  vec2 slope = factor * level;
  return slope / sqrt(1.0 + dot(slope, slope) - dot(level, level));
}

bool hasProfile() { return profile[0] != vec4(0.0); }
// The distance in metres from the line on the ground.
float fromProfile() {
  float before = max(-(dot(profile[1].xyz, fromEye) + profile[1].w), 0.0);
  float after = max(-(dot(profile[2].xyz, fromEye) + profile[2].w), 0.0);
  return length(vec2(dot(profile[0].xyz, fromEye) + profile[0].w, max(before, after)));
}
