// The air around a planet, lit by the sun. Shared by sky and ground. Directions and points are the picture's east,
// up and south, from the eye; the unit of length is the planet's radius.
//
// Single scattering in closed form: the light is the sun's light at the densest point of the line of sight, times what
// that line scatters. The depth of exponential air along a line is Chapman's function, as approximated by C. Schüler
// (An approximation to the Chapman grazing-incidence function for atmospheric scattering, GPU Pro 3, 2012).
uniform vec3 sun;
// Above 0: everything except ground has this colour, for tests that look for holes.
uniform vec4 plainBackground;
// The eye's distance from the planet's middle.
uniform float eyeRadius;
// The planet's radius in scale heights of the air; 0: no air.
uniform float airScale;
// Vertical depths: of air, which scatters blue, and of dust, which scatters forward.
uniform vec3 gasDepth;
uniform vec3 dustDepth;
// The brightness in the picture of the light that air scatters.
uniform float airGain;
// The part of its depth by which thin air hides what is behind it.
uniform float airVeil;
uniform vec3 sunlight;

const vec3 kBlueNight = vec3(0.010, 0.013, 0.022);

// The depth from a height (in scale heights) to infinity; 1 is vertical from the datum.
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
  // By day the light has the colour of the sun overhead.
  return sunlight * exp(-(gasDepth + dustDepth) * max(depth - 1.0, 0.0));
}

// The light that air scatters into a line of sight per depth, in the sun at this radius and sine.
vec3 scattering(vec3 direction, float radius, float sine) {
  float c = dot(direction, sun);
  float gas = 0.75 * (1.0 + c * c);
  // Henyey and Greenstein, g = 0.7; a part is scattered in all directions.
  float dust = 0.4 + 0.6 * 0.51 / pow(1.49 - 1.4 * c, 1.5);
  vec3 total = gasDepth + dustDepth;
  return (gasDepth * gas + dustDepth * dust) / max(total, vec3(1e-6)) * sunlightAt(radius, sine);
}

// The same for a line of this depth, by its densest point. From outside, the eye sees into a thick line only as deep as one
// unit of depth, to air that a low sun still lights in white.
vec3 scatteringAlong(vec3 direction, vec3 densest, float depth) {
  float radius = length(densest);
  float unseen = log(max((gasDepth + dustDepth).g * depth, 1.0));
  float height = scaleHeights(radius);
  float raised = min(unseen, max(scaleHeights(eyeRadius) - height, 0.0));
  return scattering(direction, radius + raised / airScale, dot(densest / radius, sun));
}

// The brightness at which light is shown.
vec3 shownLight(vec3 light) { return 1.0 - exp(-airGain * light); }

// The part of light that passes air of a depth. Thick air hides the ground with its whole depth, or the limb of a planet
// would be a line in the colours of ground that is seen through red air.
vec3 passing(vec3 depth) { return exp(-depth * mix(vec3(1.0), vec3(airVeil), exp(-0.5 * depth))); }

// The air between the eye and a point: the light that it sends, and the part that it lets through.
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
  // Outward from that end of the line from which it leaves the planet.
  float depth = rise > 0.0 ? chapman(atEye, direction.y) - chapman(atPoint, rise)
                           : chapman(atPoint, -rise) - chapman(atEye, -direction.y);
  depth = clamp(depth, 0.0, 400.0);
  vec3 densest = rise <= 0.0 ? there : direction.y < 0.0 ? eye - direction.y * eyeRadius * direction : eye;
  // In front of ground, light counts as much as the air hides.
  light = shownLight(scatteringAlong(direction, densest, depth)) *
          (1.0 - exp(-(gasDepth + dustDepth) * depth));
  through = passing((gasDepth + dustDepth) * depth);
}

// The same along a line of sight that meets no ground.
void airBeyond(vec3 direction, out vec3 light, out vec3 through) {
  light = vec3(0.0);
  through = vec3(1.0);
  if (airScale == 0.0) return;
  vec3 eye = vec3(0.0, eyeRadius, 0.0);
  vec3 densest = direction.y < 0.0 ? eye - direction.y * eyeRadius * direction : eye;
  float depth = clamp(chapman(scaleHeights(eyeRadius), direction.y), 0.0, 400.0);
  light = shownLight(scatteringAlong(direction, densest, depth) *
                     (1.0 - exp(-(gasDepth + dustDepth) * depth)));
  through = passing((gasDepth + dustDepth) * depth);
}
