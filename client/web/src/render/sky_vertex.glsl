// One triangle over the whole picture, behind everything.
out vec2 onScreen;

void main() {
  onScreen = position.xy;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
