// Hides the bands of 8-bit colours with noise.
vec3 dithered(vec3 color) {
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return color + (noise - 0.5) / 255.0;
}
