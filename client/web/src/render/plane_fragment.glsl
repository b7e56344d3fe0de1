// What ground_fragment.glsl needs for ground on a plane.
in vec3 fromEye;
in vec4 haze;
uniform vec3 sunColor;
uniform vec3 skyLight;
// The light on level ground.
uniform vec3 levelLight;
// The size of a pixel at a distance of a metre.
uniform float pixelAngle;
// A line on the ground from xy to zw, in metres from the eye; no line if all are 0.
uniform vec4 profile;

vec3 upHere() { return vec3(0.0, 1.0, 0.0); }
vec3 sunHere() { return sunColor; }
vec3 skyHere() { return skyLight; }
vec3 levelHere() { return levelLight; }
// The light that the surrounding ground reflects.
vec3 groundGlow() { return vec3(0.10, 0.09, 0.07); }
vec3 glintHere() { return vec3(1.0, 0.93, 0.8); }
vec3 mirroredSky(vec3 direction) { return skyColor(direction); }
vec3 throughAir(vec3 lit) { return mix(lit, haze.rgb, haze.a); }

// A normal from its eastward, southward and upward part.
vec3 inPicture(vec2 level, float up) { return vec3(level.x, up, level.y); }
// Turns directions of space into the picture's.
vec3 fromSpace(vec3 direction) { return direction; }
vec3 windInSpace() { return vec3(0.83, 0.0, 0.56); }
// The slope as the light shows it.
vec2 shownRelief(vec2 level) { return level; }

bool hasProfile() { return profile != vec4(0.0); }
// The distance in metres from the line on the ground.
float fromProfile() {
  vec2 along = profile.zw - profile.xy;
  vec2 to = fromEye.xz - profile.xy;
  float share = clamp(dot(to, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  return length(to - share * along);
}
