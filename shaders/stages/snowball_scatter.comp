// Every snowball takes its share of the last step's settlement, reads the normal, adds its wish to
// dig and its sediment to two corners of its cell, and rolls away. pass.argument: how strongly it
// digs at this step, in 1/65,536.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "standing.glsl"
#include "snowball_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Snowball ball = loadSnowball(i);
  if (ball.position.x == kDeadPosition || ball.velocity.x == kStoppedVelocity) return;

  ball.load += settledShare(ball, i);
  // A snowball outside the live cells can't influence the result any more.
  int cell_x = columnHere() + (ball.position.x >> 8);
  int cell_y = rowHere() + (ball.position.y >> 8);
  if (min(cell_x, cell_y) < pass.live_first || max(cell_x, cell_y) > pass.live_last) {
    movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
    return;
  }
  ivec2 at = lookedAt(ball);
  int h = pass.front + i + (at.y >> 8) * pass.stride + (at.x >> 8);
  ivec4 corners =
      ivec4(height[h], height[h + 1], height[h + pass.stride], height[h + pass.stride + 1]);
  ball = rolledSnowball(ball, corners, pass.argument, params);
  storeSnowball(i, ball);
  if (ball.velocity.x == kStoppedVelocity) return;

  ivec2 left = leftPosition(ball);
  Footprint foot = footprint(left);
  int o = i + ((left.y >> 8) + foot.row) * pass.stride + (left.x >> 8);
  ADD_SUMS(o, wishShare(ball.wish, foot.west_weight), parcelShare(ball.load, foot.west_weight));
  ADD_SUMS(o + 1, wishShare(ball.wish, foot.east_weight), parcelShare(ball.load, foot.east_weight));
  uint west = (kTrafficPerMover * uint(foot.west_weight)) >> 16;
  atomicAdd(discharge[o], west);
  atomicAdd(discharge[o + 1], kTrafficPerMover - west);
}
