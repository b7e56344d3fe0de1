// Snowballs in memory: two 64-bit words in two planes, at the vertex beside which the snowball
// fell. Included after standing.glsl and mover_place.glsl.
#include "packed.glsl"

void killSnowball(int i) { movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u); }

void storeSnowball(int i, Snowball ball) {
  uint offset = ((uint(ball.offset.y) & 255u) << 8) | (uint(ball.offset.x) & 255u);
  movers[i] = packedWords(packedPair(ball.position), packedPair(ball.velocity));
  movers[pass.plane + i] = packedWords((offset << 16) | ball.wish, ball.load);
}

Snowball loadSnowball(int i) {
  Snowball ball;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  ball.position = unpackedPair(uint(place));
  ball.velocity = unpackedPair(uint(place >> 32));
  ball.offset = ivec2(int(uint(freight) << 8) >> 24, int(uint(freight)) >> 24);
  ball.wish = uint(freight) & 65535u;
  ball.load = uint(freight >> 32);
  return ball;
}

// What a snowball gains where it last added its wish.
uint settledShare(Snowball ball) {
  ivec2 left = leftPosition(ball);
  Footprint foot = footprint(left);
  ivec2 under = placesUnder(foot, left);
  return taken(rate[under.x], wishShare(ball.wish, foot.west_weight),
               parcelShare(ball.load, foot.west_weight)) +
         taken(rate[under.y], wishShare(ball.wish, foot.east_weight),
               parcelShare(ball.load, foot.east_weight));
}
