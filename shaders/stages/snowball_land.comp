// Snowballs end: each takes its last share, and the load that it still carries is added, in grains,
// to the wash load of the vertex north-west of where it last dug, or stopped.
#include "bindings.glsl"

PARAMETERS(SnowballParams)

#include "standing.glsl"
#include "snowball_state.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Snowball ball = loadSnowball(i);
  if (ball.position.x == kDeadPosition) return;
  uint load = ball.load;
  if (ball.velocity.x != kStoppedVelocity) load += settledShare(ball, i);
  ivec2 left = leftPosition(ball);
  int cell = i + (left.y >> 8) * pass.stride + (left.x >> 8);
  if (load != 0u) {
    ADD_LONG(cell, load);
  }
}
