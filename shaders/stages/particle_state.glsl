// Particles in memory: two 64-bit words in two planes, as for droplets. Included after standing.glsl and
// mover_place.glsl.
#include "packed.glsl"

void killParticle(int i) { movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u); }

void storeParticle(int i, Particle particle) {
  movers[i] = packedWords(packedPair(particle.position), packedPair(particle.velocity));
  movers[pass.plane + i] =
      packedWords(packedPair(ivec2(particle.climb, int(particle.water))), particle.load);
}

Particle loadParticle(int i) {
  Particle particle;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  particle.position = unpackedPair(uint(place));
  particle.velocity = unpackedPair(uint(place >> 32));
  ivec2 pair = unpackedPair(uint(freight));
  particle.climb = pair.x;
  particle.water = uint(pair.y);
  particle.load = uint(freight >> 32);
  return particle;
}

// A particle's share of what the two vertices under it settled.
uint exchangedShare(Freight freight, Footprint foot, ivec2 under) {
  return gainedBy(rate[under.x], countShare(freight, foot.west_weight),
                  parcelShare(freight, foot.west_weight)) +
         gainedBy(rate[under.y], countShare(freight, foot.east_weight),
                  parcelShare(freight, foot.east_weight));
}
