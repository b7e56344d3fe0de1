// The light on matt ground.
vec3 lightOn(vec3 normal) {
  // Vertical ground sees half the sky, and the ground around it.
  float open = 0.5 + 0.5 * dot(normal, upHere());
  vec3 ambient = skyHere() * open * open + groundGlow() * (1.0 - open);
  return ambient + sunHere() * max(dot(normal, sun), 0.0);
}
