// A vertex of a tile: column and row (0 to 256), and 1 on the lower edge of the skirt that hangs from the
// tile's border. Values that change slowly over the ground are computed here, not for each pixel.
in vec3 vertex;
uniform sampler2D heights;
// From the eye to the tile's north-west corner at height 0: east, up, south; metres.
uniform vec3 corner;
uniform float cell;
uniform float skirt;
uniform float lowestM;
uniform float rangeM;
out vec2 grid;
out float heightM;
// The position on the ramps of heights.
out float rampFraction;
out vec3 fromEye;
// The air between the eye and the ground, and how much of the ground it hides.
out vec4 haze;
#ifdef DETAIL
// The place in cells of the ground's noise: see lattice.ts.
uniform float baseM;
uniform float latticePerM;
uniform vec3 latticeFrom;
out vec3 latticeAt;
#endif

vec4 hazeTo(vec3 ground) {
  if (plainBackground.a > 0.0) return vec4(0.0);
  float part = length(ground) / rangeM;
  float near = 1.0 - exp(-0.35 * part);
  float far = 1.0 - exp(-5.0 * part * part * part * part);
  vec3 direction = normalize(ground);
  return vec4(skyColor(vec3(direction.x, max(direction.y, 0.0), direction.z)), max(near, far));
}

void main() {
  heightM = texelFetch(heights, ivec2(vertex.xy), 0).r;
  rampFraction = pow(clamp((heightM - lowestM) / 3600.0, 0.0, 1.0), 0.6);
  grid = vertex.xy;
  vec3 local = vec3(vertex.x * cell, heightM, vertex.y * cell);
  // A skirt leans out a little, under its neighbour, so that no gap is left between tiles.
  vec2 outward = vec2(vertex.x == 0.0 ? -1.0 : vertex.x == 256.0 ? 1.0 : 0.0,
                      vertex.y == 0.0 ? -1.0 : vertex.y == 256.0 ? 1.0 : 0.0);
  local.xz += vertex.z * min(0.03 * skirt, 0.5 * cell) * outward;
  local.y -= vertex.z * skirt;
  fromEye = corner + local;
#ifdef DETAIL
  latticeAt = latticeFrom + latticePerM * vec3(local.x, local.y - baseM, local.z);
#endif
  haze = hazeTo(fromEye);
  gl_Position = projectionMatrix * viewMatrix * vec4(fromEye, 1.0);
}
