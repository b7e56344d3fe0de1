// Snowballs end: each takes its last share, and the load that it still carries is added, in grains,
// to the wash load of the vertex north-west of where it last dug, or stopped.
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
  if (ball.position.x == kDeadPosition) return;
  uint load = ball.load;
  if (ball.velocity.x != kStoppedVelocity) load += settledShare(ball);
  int cell = placeFrom(cellUnder(leftPosition(ball)));
  if (load != 0u) {
    ADD_LONG(cell, load);
  }
}
