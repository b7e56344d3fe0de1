// Tone mapping: bright ground keeps its shape instead of becoming one white, and darker ground keeps its colour. The
// shoulder is that of Khronos PBR Neutral (Khronos Group, 2024), which fits colours that are already those of a picture.
const float kShoulder = 0.62;
const float kPaling = 0.10;

vec3 toneMapped(vec3 color) {
  float peak = max(color.r, max(color.g, color.b));
  if (peak <= kShoulder) return color;
  float room = 1.0 - kShoulder;
  float shown = 1.0 - room * room / (peak + room - kShoulder);
  float kept = 1.0 / (kPaling * (peak - shown) + 1.0);
  return mix(vec3(shown), color * (shown / peak), kept);
}
