// A vertex of a planet's tile: column and row (0 to 256), and 1 on the lower edge of the skirt that hangs from the tile's
// border. It is placed from the middle of the tile, by differences that floats can represent.
in vec3 vertex;
uniform sampler2D heights;
// From the eye to the tile's middle on the datum, in metres.
uniform vec3 corner;
// The upward direction there, and the directions in which the face's x and y grow.
uniform mat3 axes;
// The coefficients of S2's projection about the middle: see planet_tiles.ts.
uniform vec2 steepness;
uniform vec2 bend;
uniform float cubeLength;
uniform float latticeStep;
uniform float cell;
uniform float skirt;
uniform float radiusM;
uniform float lowestM;
uniform vec3 skyLight;
out vec2 grid;
out float heightM;
// The position on the ramps of heights.
out float rampFraction;
out vec3 fromEye;
out vec3 upward;
// The light of the sun and of the sky at the vertex.
out vec3 sunHereV;
out vec3 skyHereV;
// The air between the eye and the ground: the light it sends, and the part it lets through.
out vec3 airLight;
out vec3 airThrough;
#ifdef DETAIL
// The place in cells of the ground's noise: see lattice.ts.
// Turns the picture's directions into those of space.
uniform mat3 toSpace;
uniform float baseM;
uniform float latticePerM;
uniform vec3 latticeFrom;
out vec3 latticeAt;
#endif

// The direction from the planet's middle to the vertex, minus that to the tile's middle.
vec3 fromMiddle() {
  vec2 steps = (vertex.xy - 128.0) * latticeStep;
  vec2 turn = vec2(bend.x == 0.0 ? sign(steps.x) : bend.x, bend.y == 0.0 ? sign(steps.y) : bend.y);
  vec2 onCube = 4.0 / 3.0 * (2.0 * steepness * steps + turn * steps * steps);
  vec3 delta = axes * vec3(0.0, onCube);
  vec3 middle = cubeLength * axes[0];
  float length = length(middle + delta);
  float longer = dot(2.0 * middle + delta, delta) / (length + cubeLength);
  return (delta - longer * axes[0]) / length;
}

void main() {
  heightM = texelFetch(heights, ivec2(vertex.xy), 0).r;
  rampFraction = pow(clamp((heightM - lowestM) / 3600.0, 0.0, 1.0), 0.6);
  grid = vertex.xy;
  vec3 aside = fromMiddle();
  upward = axes[0] + aside;
  fromEye = corner + radiusM * aside + heightM * upward;
  // A skirt leans out a little, under its neighbour, so that no gap is left between tiles.
  vec2 outward = vec2(vertex.x == 0.0 ? -1.0 : vertex.x == 256.0 ? 1.0 : 0.0,
                      vertex.y == 0.0 ? -1.0 : vertex.y == 256.0 ? 1.0 : 0.0);
  fromEye += vertex.z * (min(0.03 * skirt, 0.5 * cell) * (axes * vec3(0.0, outward)) - skirt * upward);

#ifdef DETAIL
  vec3 fromBase = (radiusM + heightM) * aside + (heightM - baseM) * axes[0];
  latticeAt = latticeFrom + latticePerM * (toSpace * fromBase);
#endif
  float sine = dot(upward, sun);
  sunHereV = sunlightAt(1.0, sine);
  // The sky stays bright for a while after sunset; without air it is black.
  skyHereV = skyLight * smoothstep(-0.16, 0.35, sine) + kBlueNight;
  airTo(fromEye / radiusM, airLight, airThrough);
  gl_Position = projectionMatrix * viewMatrix * vec4(fromEye, 1.0);
}
