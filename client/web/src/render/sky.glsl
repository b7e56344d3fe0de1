// The sky in a direction (of length 1, y upward). Shared by sky, haze and water.
uniform vec3 sun;
uniform vec3 horizonColor;
uniform vec3 zenithColor;
// Above 0: everything except ground has this colour, for tests that look for holes.
uniform vec4 plainBackground;

vec3 skyColor(vec3 direction) {
  vec3 color = mix(horizonColor, zenithColor, smoothstep(-0.06, 0.55, direction.y));
  float toSun = max(dot(direction, sun), 0.0);
  float wide = toSun * toSun * toSun;
  wide *= wide;
  float narrow = wide * wide * wide;
  narrow *= narrow * narrow * narrow;
  return color + vec3(1.0, 0.86, 0.66) * (0.10 * wide + 0.25 * narrow);
}
