// Noise that is fixed to the ground. It is solid: the same in all directions, so that it does not stretch on steep rock.
// Its lattice has 32-bit coordinates, so that it is as sharp far from the origin as near it: see lattice.ts.

// A hash of 32 bits: lowbias32 by Chris Wellons (Prospecting for Hash Functions, 2018).
uint hashOf(uvec3 cell) {
  uint h = cell.x * 0x8da6b343u ^ cell.y * 0xd8163841u ^ cell.z * 0xcb1ab31fu;
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

// The gradient of a lattice point, and the noise's value at a place beside it.
vec4 cornerNoise(uvec3 cell, vec3 to) {
  uint h = hashOf(cell);
  vec3 gradient = vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u) * (2.0 / 1023.0) - 1.0;
  return vec4(gradient, dot(gradient, to));
}

// Gradient noise (Perlin, Improving Noise, 2002): its slope per cell in xyz, its value in w, mostly -1 to 1.
vec4 solidNoise(ivec3 cell, vec3 at) {
  uvec3 c = uvec3(cell);
  vec3 u = at * at * at * (at * (at * 6.0 - 15.0) + 10.0);
  vec3 du = 30.0 * at * at * (at * (at - 2.0) + 1.0);
  vec4 n000 = cornerNoise(c, at);
  vec4 n100 = cornerNoise(c + uvec3(1, 0, 0), at - vec3(1, 0, 0));
  vec4 n010 = cornerNoise(c + uvec3(0, 1, 0), at - vec3(0, 1, 0));
  vec4 n110 = cornerNoise(c + uvec3(1, 1, 0), at - vec3(1, 1, 0));
  vec4 n001 = cornerNoise(c + uvec3(0, 0, 1), at - vec3(0, 0, 1));
  vec4 n101 = cornerNoise(c + uvec3(1, 0, 1), at - vec3(1, 0, 1));
  vec4 n011 = cornerNoise(c + uvec3(0, 1, 1), at - vec3(0, 1, 1));
  vec4 n111 = cornerNoise(c + uvec3(1, 1, 1), at - vec3(1, 1, 1));
  vec4 n00 = mix(n000, n100, u.x);
  vec4 n10 = mix(n010, n110, u.x);
  vec4 n01 = mix(n001, n101, u.x);
  vec4 n11 = mix(n011, n111, u.x);
  vec4 n0 = mix(n00, n10, u.y);
  vec4 n1 = mix(n01, n11, u.y);
  vec4 n = mix(n0, n1, u.z);
  float alongX = mix(mix(n100.w - n000.w, n110.w - n010.w, u.y), mix(n101.w - n001.w, n111.w - n011.w, u.y), u.z);
  float alongY = mix(n10.w - n00.w, n11.w - n01.w, u.z);
  n.xyz += du * vec3(alongX, alongY, n1.w - n0.w);
  return 1.7 * n;
}

// Noise of one dimension, -1 to 1.
float lineNoise(float at) {
  float cell = floor(at);
  float t = at - cell;
  uint c = uint(int(cell));
  float low = float(hashOf(uvec3(c, 7, 7)) >> 8) / 8388608.0 - 1.0;
  float high = float(hashOf(uvec3(c + 1u, 7, 7)) >> 8) / 8388608.0 - 1.0;
  return mix(low, high, t * t * (3.0 - 2.0 * t));
}
