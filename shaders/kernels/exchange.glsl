// How a vertex exchanges ground with movers that wish to dig and to lay down at once. Each mover
// adds its wish and its parcels to the vertex's sums. The vertex settles their difference, within
// limits that its neighbours set. Each mover takes its share by droplet.glsl's exact products.
//
// Bounds. A wish is under 2^16, and movers of (2 * 48 + 3)^2 cells reach a vertex: the sum stays
// under 2^30. A vertex gives at most 2^24 grains a step.
#ifndef THALWEG_KERNELS_EXCHANGE
#define THALWEG_KERNELS_EXCHANGE

#include "droplet.glsl"

KERNELS_BEGIN

// The unit of a wish: 256 grains.
CONSTANT int kGrainsPerWishBits = 8;
CONSTANT float kMaxWish = 65535.0f;
// Traffic: 1/256 of a mover.
CONSTANT uint kTrafficPerMover = 256u;

// A wish to dig this depth, in cells.
KERNEL uint wishOf(float cells, float wishes_per_cell) {
  return uint(int(min(max(cells * wishes_per_cell, 0.0f), kMaxWish)));
}

// What a mover adds to a vertex with this weight, in 1/65,536: wishes, parcels.
KERNEL uint wishShare(uint wish, int weight) { return (wish * uint(weight)) >> 16; }
KERNEL uint parcelShare(uint load, int weight) {
  return scaleByWeight(load >> kGrainsPerParcelBits, uint(weight));
}

// Max depth that may be dug: a part of the drop to the lowest neighbour.
KERNEL float digRoom(int height, int lowest, float limit) {
  return max(differenceOf(height, lowest), 0.0f) * limit;
}

// Max depth that may be laid down: in a pit up to its rim, which is the lowest neighbour; and a
// part of the rise from there to the highest neighbour.
KERNEL float layRoom(int height, int lowest, int highest, float limit) {
  float rim = max(differenceOf(lowest, height), 0.0f);
  return rim + max(differenceOf(highest, height) - rim, 0.0f) * limit;
}

// What a vertex gives or takes. laid_part: the part of parcels laid down. Rooms: in grains.
KERNEL Settlement exchanged(int height, uint fraction, uint wishes, uint parcels, float laid_part,
                            float dig_room, float lay_room, int grain_bits) {
  float net = float(wishes) * float(1 << kGrainsPerWishBits) -
              float(parcels) * float(1 << kGrainsPerParcelBits) * laid_part;
  int rate = 0;
  int change = 0;
  if (net > 0.0f && wishes > 0u) {
    float grains = min(min(net, dig_room), 16777216.0f);
    rate = int(grains * reciprocal(float(wishes)));
    change = -rate * int(wishes);
  } else if (parcels > 0u) {
    float grains = min(min(0.0f - net, lay_room), 268435456.0f);
    rate = -min(int(grains * reciprocal(float(parcels))), 1 << kGrainsPerParcelBits);
    change = -rate * int(parcels);
  }
  int total = int(fraction) + change;
  Settlement settlement;
  settlement.height = height + (total >> grain_bits);
  settlement.fraction = uint(total & ((1 << grain_bits) - 1));
  settlement.rate = rate;
  return settlement;
}

KERNELS_END

#endif
