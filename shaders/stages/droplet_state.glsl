// Droplets in memory: two 64-bit words in two planes, at the vertex beside which the droplet fell. Included after
// standing.glsl. On a plane a droplet never leaves its window. On a planet it crosses edges of faces and continues in
// the window of the next face: memory then has its position there, and that face.
#include "packed.glsl"

// The x of a dead droplet on a planet.
const uint kDeadX = 0x7ffffu;

void killDroplet(int i) {
  movers[i] = kOnSphere ? uint64_t(kDeadX) : packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
}

// On a planet: 19 bits for each coordinate, 13 for each direction (1/2,048); water, speed, 3 for the face.
void storeCrossing(int i, Droplet droplet) {
  uint64_t x = uint64_t(uint(droplet.position.x));
  uint64_t y = uint64_t(uint(droplet.position.y));
  uint64_t direction_x = uint64_t(uint((droplet.direction.x + 4) >> 3) & 8191u);
  uint64_t direction_y = uint64_t(uint((droplet.direction.y + 4) >> 3) & 8191u);
  movers[i] = x | (y << 19) | (direction_x << 38) | (direction_y << 51);
  uint face = uint(jobs[droplet.slot].face);
  movers[pass.plane + i] = packedWords((droplet.water << 17) | (droplet.speed << 3) | face, droplet.load);
}

// The window of a face that a droplet of this window may be on.
int slotOf(int face) {
  int slot = slotHere();
  Job job = jobs[slot];
  if (jobs[slot + job.east.window].face == face) return slot + job.east.window;
  if (jobs[slot + job.south.window].face == face) return slot + job.south.window;
  if (jobs[slot + job.west.window].face == face) return slot + job.west.window;
  if (jobs[slot + job.north.window].face == face) return slot + job.north.window;
  return slot;
}

Droplet loadCrossing(int i) {
  Droplet droplet;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  uint x = uint(place) & kDeadX;
  droplet.position = ivec2(x == kDeadX ? kDeadPosition : int(x), int(uint(place >> 19) & kDeadX));
  droplet.direction = ivec2((int(uint(place >> 32) << 13) >> 19) * 8, (int(uint(place >> 32)) >> 19) * 8);
  uint low = uint(freight);
  droplet.speed = (low >> 3) & 16383u;
  droplet.water = low >> 17;
  droplet.load = uint(freight >> 32);
  droplet.slot = slotOf(int(low & 7u));
  return droplet;
}

void storeDroplet(int i, Droplet droplet) {
  if (kOnSphere) {
    storeCrossing(i, droplet);
    return;
  }
  movers[i] = packedWords(packedPair(droplet.position), packedPair(droplet.direction));
  movers[pass.plane + i] = packedWords((droplet.water << 16) | droplet.speed, droplet.load);
}

Droplet loadDroplet(int i) {
  if (kOnSphere) return loadCrossing(i);
  Droplet droplet;
  uint64_t place = movers[i];
  uint64_t freight = movers[pass.plane + i];
  droplet.position = unpackedPair(uint(place));
  droplet.direction = unpackedPair(uint(place >> 32));
  droplet.speed = uint(freight) & 65535u;
  droplet.water = uint(freight) >> 16;
  droplet.load = uint(freight >> 32);
  droplet.slot = slotHere();
  return droplet;
}

// A droplet's share of what the two vertices under it settled. o: the western one.
uint settledShare(Droplet droplet, Footprint foot, int o, uint kept_water) {
  return taken(rate[o], momentumShare(droplet, kept_water, foot.west_weight),
               loadShare(droplet, foot.west_weight)) +
         taken(rate[o + 1], momentumShare(droplet, kept_water, foot.east_weight),
               loadShare(droplet, foot.east_weight));
}
