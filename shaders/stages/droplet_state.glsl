// Droplets in memory: two words of 64 bits in two planes, at the vertex that a droplet fell beside.
#include "packed.glsl"

void storeDroplet(int i, Droplet droplet) {
  movers[i] = packedWords(packedPair(droplet.position), packedPair(droplet.direction));
  movers[pass.plane + i] = packedWords((droplet.water << 16) | droplet.speed, droplet.load);
}

Droplet loadDroplet(int i) {
  Droplet droplet;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  droplet.position = unpackedPair(uint(place));
  droplet.direction = unpackedPair(uint(place >> 32));
  droplet.speed = uint(freight) & 65535u;
  droplet.water = uint(freight) >> 16;
  droplet.load = uint(freight >> 32);
  return droplet;
}

// The share of what the vertices under a droplet settled, o: the western one.
uint settledShare(Droplet droplet, Footprint foot, int o, uint kept_water) {
  return taken(rate[o], momentumShare(droplet, kept_water, foot.west_weight),
               loadShare(droplet, foot.west_weight)) +
         taken(rate[o + 1], momentumShare(droplet, kept_water, foot.east_weight),
               loadShare(droplet, foot.east_weight));
}
