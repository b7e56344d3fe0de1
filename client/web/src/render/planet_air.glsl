// The air around a planet, in the sun. Shared by sky and ground. Directions and points are in the picture's east, up
// and south of the eye; one unit of length is a radius of the planet.
//
// Single scattering in closed form: light is what the sun sends to the densest point of the line of sight, times what
// that line scatters. Depths of exponential air along a line are Chapman's function, as C. Schüler approximates it (An
// approximation to the Chapman grazing-incidence function for atmospheric scattering, GPU Pro 3, 2012).
uniform vec3 sun;
// Above 0: everything but ground has this colour, for tests that look for holes.
uniform vec4 plainBackground;
// Of the eye from the planet's middle.
uniform float eyeRadius;
// How many times as high as the air's scale height the radius is; 0: no air.
uniform float airScale;
// Vertical depths: of air, which scatters blue, and of dust, which scatters forward.
uniform vec3 gasDepth;
uniform vec3 dustDepth;
// How bright what the air scatters is in the picture.
uniform float airGain;
// How much of its depth hides what is behind it.
uniform float airVeil;
uniform vec3 sunlight;

const vec3 kBlueNight = vec3(0.010, 0.013, 0.022);

// Depth from a height (in scale heights) to infinity, in that of the vertical from the datum.
float chapman(float height, float cosine) {
  float c = sqrt(airScale + height);
  if (cosine >= 0.0) return c / (c * cosine + 1.0) * exp(-height);
  float tangent = sqrt(1.0 - min(cosine * cosine, 1.0)) * (airScale + height);
  return 2.0 * sqrt(tangent) * exp(min(airScale - tangent, 12.0)) - c / (1.0 - c * cosine) * exp(-height);
}

float scaleHeights(float radius) { return (radius - 1.0) * airScale; }

// The sun's light at a distance from the middle, in radii, by the sine of the sun's elevation there.
vec3 sunlightAt(float radius, float sine) {
  if (airScale == 0.0) return sunlight;
  float depth = clamp(chapman(max(scaleHeights(radius), -1.0), sine), 0.0, 400.0);
  // The colour by day is that of the sun overhead.
  return sunlight * exp(-(gasDepth + dustDepth) * max(depth - 1.0, 0.0));
}

// What air scatters into a line of sight: for each of its depth, and in the light at a radius and sine of the sun.
vec3 scattering(vec3 direction, float radius, float sine) {
  float c = dot(direction, sun);
  float gas = 0.75 * (1.0 + c * c);
  // Henyey and Greenstein, g = 0.7, of which a part goes everywhere.
  float dust = 0.4 + 0.6 * 0.51 / pow(1.49 - 1.4 * c, 1.5);
  vec3 total = gasDepth + dustDepth;
  return (gasDepth * gas + dustDepth * dust) / max(total, vec3(1e-6)) * sunlightAt(radius, sine);
}

// As bright as it is shown.
vec3 shownLight(vec3 light) { return 1.0 - exp(-airGain * light); }

// The air before a point, given from the eye: what it sends, and what it lets through.
void airTo(vec3 point, out vec3 light, out vec3 through) {
  light = vec3(0.0);
  through = vec3(1.0);
  if (airScale == 0.0) return;
  vec3 eye = vec3(0.0, eyeRadius, 0.0);
  vec3 there = eye + point;
  float radius = length(there);
  vec3 direction = normalize(point);
  float atEye = scaleHeights(eyeRadius);
  float atPoint = scaleHeights(radius);
  float rise = dot(direction, there) / radius;
  // Outward from the end from which the line leaves the planet.
  float depth = rise > 0.0 ? chapman(atEye, direction.y) - chapman(atPoint, rise)
                           : chapman(atPoint, -rise) - chapman(atEye, -direction.y);
  depth = clamp(depth, 0.0, 400.0);
  vec3 densest = rise <= 0.0 ? there : direction.y < 0.0 ? eye - direction.y * eyeRadius * direction : eye;
  float least = length(densest);
  // Before ground it counts as much as it hides; the sky is seen without such company.
  light = shownLight(scattering(direction, least, dot(densest / least, sun))) *
          (1.0 - exp(-(gasDepth + dustDepth) * depth));
  through = exp(-airVeil * (gasDepth + dustDepth) * depth);
}

// The same along a line that meets no ground.
void airBeyond(vec3 direction, out vec3 light, out vec3 through) {
  light = vec3(0.0);
  through = vec3(1.0);
  if (airScale == 0.0) return;
  vec3 eye = vec3(0.0, eyeRadius, 0.0);
  vec3 densest = direction.y < 0.0 ? eye - direction.y * eyeRadius * direction : eye;
  float radius = length(densest);
  float depth = clamp(chapman(scaleHeights(eyeRadius), direction.y), 0.0, 400.0);
  light = shownLight(scattering(direction, radius, dot(densest / radius, sun)) *
                     (1.0 - exp(-(gasDepth + dustDepth) * depth)));
  through = exp(-airVeil * (gasDepth + dustDepth) * depth);
}
