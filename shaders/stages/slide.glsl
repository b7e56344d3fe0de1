// How far ground is too steep. Included after ground_place.glsl by stages with RiversParams.

// above: how high a vertex is above its neighbours in the four directions from 0 to 3, and above the opposite ones; steps:
// see stepsHere; steepest: the most that its ground may fall over a cell.
float slideExcess(vec4 above, vec4 opposite, vec4 steps, float steepest) {
  vec4 limits = vec4(steepest * steps.x, steepest * steps.y, steepest * steps.z, steepest * steps.w);
  float excess = max(max(max(above.x, opposite.x) - limits.x, max(above.y, opposite.y) - limits.y),
                     max(max(above.z, opposite.z) - limits.z, max(above.w, opposite.w) - limits.w));
  // Diagonals 1 and 3 lie beside the axes 0 and 2; the opposite directions are 4 to 7.
  float ratio = steps.x * reciprocal(steps.z);
  float fall_0 = max(max(fallOver(above.x, above.y, ratio), fallOver(above.x, opposite.w, ratio)),
                     max(fallOver(opposite.x, opposite.y, ratio), fallOver(opposite.x, above.w, ratio)));
  ratio = steps.z * reciprocal(steps.x);
  float fall_2 = max(max(fallOver(above.z, above.y, ratio), fallOver(above.z, above.w, ratio)),
                     max(fallOver(opposite.z, opposite.y, ratio), fallOver(opposite.z, opposite.w, ratio)));
  float over_0 = fall_0 * reciprocalSqrt(max(fall_0, 1e-20f)) - limits.x;
  float over_2 = fall_2 * reciprocalSqrt(max(fall_2, 1e-20f)) - limits.z;
  return max(max(excess, 0.0f), max(over_0, over_2));
}
float slideSum(vec4 above, vec4 opposite) {
  return 2.0f * ((above.x + opposite.x) + (above.z + opposite.z)) + ((above.y + opposite.y) + (above.w + opposite.w));
}
