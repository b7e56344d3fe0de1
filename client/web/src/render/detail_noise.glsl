// Noise that is fixed to the ground. It is solid: the same in all directions, so that it does not stretch on steep rock.
// Its lattice has 32-bit coordinates, so that it is as sharp far from the origin as near it: see lattice.ts.

// The place in cells of the coarsest noise, from latticeCell.
in vec3 latticeAt;
uniform ivec3 latticeCell;
uniform float latticePerM;

// A hash of 32 bits: lowbias32 by Chris Wellons (Prospecting for Hash Functions, 2018).
uint hashOf(uint h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

// A hash as three numbers of 0 to 1023.
vec3 threeOf(uint h) { return vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u); }

// Factors of a cell's coordinates: large and odd, so that cells that are near each other differ in many bits.
const uvec3 kFactors = uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);

// The stone about a place: the way from its middle, in the stone's own size, and the square of that; its own number, -1 to 1
// in three parts; and the square of the way from the next stone's middle.
struct Stone {
  vec4 way;
  vec3 number;
  float next;
};

// Returns a lattice point's gradient, and the value of its wave at a place beside it. Keeps its stone if that is nearer.
vec4 cornerNoise(uint cell, vec3 to, inout Stone stone) {
  uint h = hashOf(cell);
  vec3 number = threeOf(h) * (2.0 / 1023.0) - 1.0;
  // Stones have four sizes; the largest just fit among the eight points around a place. The next octave's begin where these
  // end, so that there are about four times as many of half the size.
  float size = float(h >> 30);
  vec3 way = (to - 0.46 * number) * (1.0 + 0.17 * size * size);
  float squared = dot(way, way);
  bool isNearer = squared < stone.way.w;
  stone.next = isNearer ? stone.way.w : min(stone.next, squared);
  stone.way = isNearer ? vec4(way, squared) : stone.way;
  stone.number = isNearer ? number : stone.number;
  return vec4(number, dot(number, to));
}

// Returns waves: gradient noise (Perlin, Improving Noise, 2002), with the slope per cell in xyz and the value in w, mostly
// -1 to 1. And the stone: cellular noise (Worley, 1996) among the eight lattice points around the place.
vec4 solidNoise(ivec3 cell, vec3 at, out Stone stone) {
  uvec3 low = uvec3(cell) * kFactors;
  uvec3 high = low + kFactors;
  vec3 u = at * at * at * (at * (at * 6.0 - 15.0) + 10.0);
  vec3 du = 30.0 * at * at * (at * (at - 2.0) + 1.0);
  stone = Stone(vec4(9.0), vec3(0.0), 9.0);
  vec4 n000 = cornerNoise(low.x ^ low.y ^ low.z, at, stone);
  vec4 n100 = cornerNoise(high.x ^ low.y ^ low.z, at - vec3(1, 0, 0), stone);
  vec4 n010 = cornerNoise(low.x ^ high.y ^ low.z, at - vec3(0, 1, 0), stone);
  vec4 n110 = cornerNoise(high.x ^ high.y ^ low.z, at - vec3(1, 1, 0), stone);
  vec4 n001 = cornerNoise(low.x ^ low.y ^ high.z, at - vec3(0, 0, 1), stone);
  vec4 n101 = cornerNoise(high.x ^ low.y ^ high.z, at - vec3(1, 0, 1), stone);
  vec4 n011 = cornerNoise(low.x ^ high.y ^ high.z, at - vec3(0, 1, 1), stone);
  vec4 n111 = cornerNoise(high.x ^ high.y ^ high.z, at - vec3(1, 1, 1), stone);
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

// Smooth noise without slopes, three independent numbers of -1 to 1: cheaper.
vec3 patchNoise(ivec3 cell, vec3 at) {
  uvec3 low = uvec3(cell) * kFactors;
  uvec3 high = low + kFactors;
  vec3 u = at * at * (3.0 - 2.0 * at);
  vec3 n00 = mix(threeOf(hashOf(low.x ^ low.y ^ low.z)), threeOf(hashOf(high.x ^ low.y ^ low.z)), u.x);
  vec3 n10 = mix(threeOf(hashOf(low.x ^ high.y ^ low.z)), threeOf(hashOf(high.x ^ high.y ^ low.z)), u.x);
  vec3 n01 = mix(threeOf(hashOf(low.x ^ low.y ^ high.z)), threeOf(hashOf(high.x ^ low.y ^ high.z)), u.x);
  vec3 n11 = mix(threeOf(hashOf(low.x ^ high.y ^ high.z)), threeOf(hashOf(high.x ^ high.y ^ high.z)), u.x);
  return mix(mix(n00, n10, u.y), mix(n01, n11, u.y), u.z) * (2.0 / 1023.0) - 1.0;
}

// Returns the patches in cells of the lattice that are 2 to the power of `shift` wide.
vec3 patchesOf(int shift) {
  ivec3 cell = latticeCell + ivec3(floor(latticeAt));
  int mask = (1 << shift) - 1;
  return patchNoise(cell >> shift, (vec3(cell & mask) + fract(latticeAt)) / float(mask + 1));
}

// Noise of one dimension, -1 to 1.
float lineNoise(float at) {
  float cell = floor(at);
  float t = at - cell;
  uint c = uint(int(cell));
  float low = float(hashOf(c) >> 8) / 8388608.0 - 1.0;
  float high = float(hashOf(c + 1u) >> 8) / 8388608.0 - 1.0;
  return mix(low, high, t * t * (3.0 - 2.0 * t));
}
