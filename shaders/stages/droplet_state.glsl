// Droplets in memory: four words in four planes, at the vertex that a droplet fell beside.
uint packedPair(ivec2 pair) { return (uint(pair.y) << 16) | (uint(pair.x) & 65535u); }
ivec2 unpackedPair(uint word) { return ivec2(int(word << 16) >> 16, int(word) >> 16); }

void storeDroplet(int i, Droplet droplet) {
  droplets[i] = packedPair(droplet.position);
  droplets[pass.plane + i] = packedPair(droplet.direction);
  droplets[2 * pass.plane + i] = (droplet.water << 16) | droplet.speed;
  droplets[3 * pass.plane + i] = droplet.load;
}

Droplet loadDroplet(int i) {
  Droplet droplet;
  droplet.position = unpackedPair(droplets[i]);
  droplet.direction = unpackedPair(droplets[pass.plane + i]);
  droplet.speed = droplets[2 * pass.plane + i] & 65535u;
  droplet.water = droplets[2 * pass.plane + i] >> 16;
  droplet.load = droplets[3 * pass.plane + i];
  return droplet;
}

// The share of what the four corners around a droplet settled, o: its north-west corner.
uint settledShare(Droplet droplet, int o, uint kept_water) {
  ivec4 w = cornerWeights(droplet.position);
  return taken(rate[o], momentumShare(droplet, kept_water, w.x), loadShare(droplet, w.x)) +
         taken(rate[o + 1], momentumShare(droplet, kept_water, w.y), loadShare(droplet, w.y)) +
         taken(rate[o + pass.stride], momentumShare(droplet, kept_water, w.z),
               loadShare(droplet, w.z)) +
         taken(rate[o + pass.stride + 1], momentumShare(droplet, kept_water, w.w),
               loadShare(droplet, w.w));
}
