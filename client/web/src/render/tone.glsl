// Tone mapping: bright ground keeps its shape instead of becoming one white; colours below the shoulder stay as they are. The
// shoulder is that of J. Hable, Filmic Tonemapping with Piecewise Power Curves (2017): it leaves the straight line at
// kShoulder and reaches white at kWhite; its power, (kWhite - kShoulder) / (1 - kShoulder), is 2.
const float kShoulder = 0.5;
const float kWhite = 1.5;

vec3 toneMapped(vec3 color) {
  float peak = max(color.r, max(color.g, color.b));
  float below = clamp((kWhite - peak) / (kWhite - kShoulder), 0.0, 1.0);
  float shown = peak > kShoulder ? 1.0 - (1.0 - kShoulder) * below * below : peak;
  // Colours pale on the shoulder, as on film.
  return mix(color * (shown / max(peak, 1e-4)), vec3(shown), 0.35 * max(peak - shown, 0.0));
}
