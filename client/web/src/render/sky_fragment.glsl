// The sky over a plane.
in vec2 onScreen;
uniform mat4 toDirection;
out vec4 color;

void main() {
  if (plainBackground.a > 0.0) {
    color = vec4(plainBackground.rgb, 1.0);
    return;
  }
  vec4 direction = toDirection * vec4(onScreen, 1.0, 1.0);
  color = vec4(dithered(skyColor(normalize(direction.xyz))), 1.0);
}
