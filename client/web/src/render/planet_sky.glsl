// The sky over a planet: air, the sun, stars. A dark ball stands where the planet's ground is not loaded yet.
in vec2 onScreen;
uniform mat4 toDirection;
// Turns the picture's directions into those of space.
uniform mat3 toSpace;
// The radius of the lowest ground.
uniform float ballRadius;
uniform float pixelAngle;
out vec4 color;

float hash(vec3 cell) {
  vec3 p = fract(cell * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}

// Stars lie in cells of space, at most one in each.
vec3 stars(vec3 direction) {
  const float kCells = 90.0;
  const float kEmpty = 0.95;
  vec3 at = direction * kCells;
  vec3 cell = floor(at);
  float kind = hash(cell);
  if (kind < kEmpty) return vec3(0.0);
  vec3 star = normalize(cell + 0.3 + 0.4 * vec3(hash(cell + 17.0), hash(cell + 31.0), hash(cell + 47.0)));
  float away = length(direction - star) / max(pixelAngle, 4e-4);
  float bright = pow((kind - kEmpty) / (1.0 - kEmpty), 4.0);
  vec3 tint = mix(vec3(1.0, 0.82, 0.66), vec3(0.72, 0.83, 1.0), hash(cell + 71.0));
  return tint * (0.10 + 0.9 * bright) * exp(-1.6 * away * away);
}

void main() {
  if (plainBackground.a > 0.0) {
    color = vec4(plainBackground.rgb, 1.0);
    return;
  }
  vec3 direction = normalize((toDirection * vec4(onScreen, 1.0, 1.0)).xyz);
  // Compares the distance at which the line passes the planet's middle, in front of the eye.
  bool isBall = direction.y < 0.0 && eyeRadius * sqrt(1.0 - direction.y * direction.y) < ballRadius;
  if (isBall) {
    vec3 light;
    vec3 through;
    float along = -direction.y * eyeRadius;
    float depth = along - sqrt(max(ballRadius * ballRadius - eyeRadius * eyeRadius + along * along, 0.0));
    airTo(depth * direction, light, through);
    vec3 up = normalize(vec3(0.0, eyeRadius, 0.0) + depth * direction);
    color = vec4(dithered(0.10 * sunlightAt(1.0, dot(up, sun)) * max(dot(up, sun), 0.0) * through + light), 1.0);
    return;
  }
  vec3 light;
  vec3 through;
  airBeyond(direction, light, through);
  float toSun = dot(direction, sun);
  vec3 disc = sunlight * (1.6 * smoothstep(0.99993, 0.99997, toSun) + 0.30 * pow(max(toSun, 0.0), 3000.0) +
                          0.07 * pow(max(toSun, 0.0), 160.0));
  // By day no stars are visible.
  float dark = 1.0 - smoothstep(0.0, 0.25, max(light.r, max(light.g, light.b)));
  color = vec4(dithered(light + through * (disc + dark * stars(normalize(toSpace * direction)))), 1.0);
}
