// Patches of some ten and some hundred metres in which the ground is lighter, darker or warmer. They lie between the fine
// noise and what tiles of smooth plains resolve, so that no plain is of one colour.
// MOTTLED has the widths of small and large patches in cells of the lattice, as powers of 2.

vec3 mottled(vec3 lit, float pixelM) {
  vec2 visible = 1.0 - smoothstep(0.15, 0.55, pixelM * latticePerM / vec2(ivec2(1) << MOTTLED));
  vec3 small = visible.x * patchesOf(MOTTLED.x);
  vec3 large = visible.y * patchesOf(MOTTLED.y);
  // Folded noise has sharp ridges, smooth noise looks blurred.
  vec2 ridges = visible * (0.4 - abs(vec2(small.y, large.y)));
  float lighter = 0.08 * large.x + 0.05 * small.x + 0.11 * ridges.y + 0.16 * ridges.x;
  float warmer = 0.02 * (large.z + small.z);
  // Bright ground, such as snow, shows less.
  float share = clamp(1.4 - max(lit.r, max(lit.g, lit.b)), 0.25, 1.0);
  return lit * (1.0 + share * (lighter + warmer * vec3(1.0, 0.0, -1.0)));
}
