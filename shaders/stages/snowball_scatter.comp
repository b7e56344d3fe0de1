// Every snowball takes its share of the last step's settlement, reads the normal, adds its wish to
// dig and its sediment to two corners of its cell, and rolls away. pass.argument: how strongly it
// digs at this step, in 1/65,536.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "snowball_state.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  Snowball ball = loadSnowball(i);
  if (ball.position.x == kDeadPosition || ball.velocity.x == kStoppedVelocity) return;

  ball.load += settledShare(ball);
  // A snowball outside the live cells can't influence the result any more.
  if (!isLive(cellUnder(ball.position))) {
    killSnowball(i);
    return;
  }
  ivec2 cell = cellUnder(lookedAt(ball));
  ivec4 places = cornersFrom(cell);
  ivec4 corners = ivec4(height[pass.front + places.x], height[pass.front + places.y],
                        height[pass.front + places.z], height[pass.front + places.w]);
  vec2 rise = snowballRise(ball, corners, params);
  ball = rolledSnowball(ball, rise, ascentFrom(cell, rise), pass.argument, params);
  storeSnowball(i, ball);
  if (ball.velocity.x == kStoppedVelocity) return;

  ivec2 left = leftPosition(ball);
  Footprint foot = footprint(left);
  ivec2 under = placesUnder(foot, left);
  ADD_SUMS(under.x, wishShare(ball.wish, foot.west_weight), parcelShare(ball.load, foot.west_weight));
  ADD_SUMS(under.y, wishShare(ball.wish, foot.east_weight), parcelShare(ball.load, foot.east_weight));
  uint west = (kTrafficPerMover * uint(foot.west_weight)) >> 16;
  atomicAdd(discharge[under.x], west);
  atomicAdd(discharge[under.y], kTrafficPerMover - west);
}
