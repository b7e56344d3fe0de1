// Rivers near the eye.

// Running water, which covers a part `river` of the ground. `downhill` is the slope of its bed.
vec3 withStream(vec3 lit, vec2 downhill, float river, Noise noise) {
  float near = noise.visible.x;
  Ripples ripples = ripplesOf(noise);
  vec3 flow = inPicture(downhill / max(length(downhill), 1e-4), 0.0);
  float steep = min(length(downhill), 0.6);
  // Ripples lie across the stream, and are larger where it is fast.
  vec3 slope = near * fromSpace(ripples.slope) * (0.5 + 2.0 * steep);
  slope = 0.6 * slope + 1.2 * dot(slope, flow) * flow;
  float foam = near * smoothstep(0.35, 0.7, steep + 0.5 * ripples.lace - 0.25);
  Water water = Water(slope, mix(kRoughness, kSmoothest, near), foam);
  float depthM = 0.1 + 0.9 * smoothstep(0.2, 1.0, river);
  vec3 below = mix(underWater(lit, 4.0), underNearWater(lit, depthM, ripples.lace - 0.5, 0.0), near);
  vec3 stream = surfaceOver(below, water, mix(0.7, 1.0, near));
  return mix(lit, stream, mix(0.8 * river, smoothstep(0.05, 0.35, river), near));
}
