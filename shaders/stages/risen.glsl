// Raises the ground of rivers. Included by stages with RiversParams, after local_params.glsl.

// The ground becomes the height at the end of the steps, plus the rise of the way from there. summed: that rise, and the
// vertex at the end.
void raise(int i, uint64_t summed) {
  int end = int(uint(summed >> 32));
  int ground = height[pass.front + i];
  int foot = height[backPlane() + end];
  int risen = end == i ? foot : heldHeight(max(foot, params.sea_level) + int(min(uint(summed), 1073741824u)));
  risen = heldHeight(risen + int(min(discharge[i], 1073741824u)));
  int river = layers[inLayer(kPlaneWay, i)];
  int area = riverArea(river);
  int floor_code = flow[i] & kFloorHere;
  flow[i] -= floor_code;
  layers[inLayer(kPlaneWay, i)] =
      packedRiver(riverDirection(river), area, floor_code, riverSteepness(river));
  // A hillslope keeps the ground that the parent has.
  float hillslope = partOfHillslope(area, paramsHere());
  if (end != i) risen -= int(hillslope * float(heldDifference(risen, ground)));
  height[pass.front + i] = risen;
  // Slides change the ground later: rivers_close adds the final ground.
  layers[inLayer(kPlaneUplift, i)] -= ground;
  layers[inLayer(kPlaneBedrock, i)] -= ground;
}
