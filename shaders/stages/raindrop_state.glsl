// Raindrops in memory: two 64-bit words in two planes, at the vertex on which the drop fell. Included after
// standing.glsl and mover_place.glsl.
#include "packed.glsl"

// A hash of this invocation's drop, for a step.
uint dropHash(int step) {
  Job job = jobs[slotHere()];
  return hashRaindrop(pass.seed_low ^ pass.seed_high ^ (uint(job.face) << 28), job.x_low + uint(columnHere()),
                      job.y_low + uint(rowHere()), step, params);
}

void storeRaindrop(int i, Raindrop drop) {
  movers[i] = packedWords(packedPair(drop.position), packedPair(drop.offered_at));
  movers[pass.plane + i] = packedWords((drop.lays ? 0x80000000u : 0u) | drop.offer, drop.load);
}

Raindrop loadRaindrop(int i) {
  Raindrop drop;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  drop.position = unpackedPair(uint(place));
  drop.offered_at = unpackedPair(uint(place >> 32));
  drop.lays = (uint(freight) >> 31) != 0u;
  drop.offer = uint(freight) & 0x7fffffffu;
  drop.load = uint(freight >> 32);
  return drop;
}

// What a drop gains at the vertex of its last offer.
uint settledShare(Raindrop drop) {
  int o = placeFrom(drop.offered_at);
  return taken(rate[o], drop.lays ? 0u : drop.offer, drop.lays ? drop.offer : 0u);
}
