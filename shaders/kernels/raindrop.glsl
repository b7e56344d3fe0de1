// Raindrops: from vertex to vertex, down the steepest of the eight ways. A drop digs soil where it
// leaves in proportion to the slope, and lays down, at the vertex that it comes to, what it carries
// over what that slope holds. In a pit it stays and lays down all that it has, until the pit is
// full.
//
// A diagonal's fall is weighed by 1 / (2 - u) with u random (Fairfield & Leymarie 1991, "Rho8"):
// the mean way of many drops is then the slope's own direction and not the nearest of eight. And
// every fall loses a random part, so that drops spread over the ways down.
#ifndef THALWEG_KERNELS_RAINDROP
#define THALWEG_KERNELS_RAINDROP

#include "exchange.glsl"
#include "thermal.glsl"

KERNELS_BEGIN

struct RaindropParams {
  // 1 / height of a cell in height units.
  float inverse_cell;
  float erosion;     // cells that are dug a step for each unit of slope
  float capacity;    // cells that are carried for each unit of slope
  float deposition;  // part of what is over that is laid down
  float limit;
  float wander;  // the most of a fall that is lost to chance
  float wishes_per_cell;
  float cells_per_parcel;
  float grains_per_unit;  // of height
  int grain_bits;
  uint stream;  // separates the rain of levels and stages
};

struct Raindrop {
  ivec2 position;    // in cells from where it fell
  ivec2 offered_at;  // where it added what it offered last
  bool lays;         // whether that were parcels, not a wish
  uint offer;        // under 2^31
  uint load;         // grains
};

// A hash of the drop that fell at (x, y), for this step.
KERNEL uint hashRaindrop(uint seed, uint x, uint y, int step, RaindropParams params) {
  uint mixed = (x * 0x9e3779b1u) ^ (y * 0x85ebca77u + 0x165667b1u);
  return pcg(pcg(mixed + seed) + uint(step) * 0xc2b2ae3du + params.stream * 0x27d4eb2fu);
}

// How far from where a drop ends its load is washed, from -kWashSpread to under kWashSpread in each
// axis: hundreds of drops end in one pit, and the wash load of one vertex must stay under 32 km.
CONSTANT int kWashSpread = 8;
KERNEL ivec2 washedTo(uint h) { return ivec2(int(h & 15u), int((h >> 4) & 15u)) - kWashSpread; }

// The weight of a direction's fall.
KERNEL float wayWeight(uint h, int direction, RaindropParams params) {
  float chance = float((pcg(h) >> (4 * direction)) & 15u) * 0.0625f;
  float weight = 1.0f - params.wander * chance;
  if ((direction & 1) == 0) return weight;
  return weight * reciprocal(2.0f - float(h >> 16) * 1.52587890625e-5f);
}

// What a drop does at a vertex from which it falls so far, in height units; 0: it is in a pit. The
// offer; it is still to move and to say where it offers.
KERNEL Raindrop offeringRaindrop(Raindrop drop, float fall, bool diagonal, RaindropParams params) {
  uint parcels = drop.load >> kGrainsPerParcelBits;
  Raindrop offering = drop;
  if (fall <= 0.0f) {
    offering.lays = true;
    offering.offer = parcels;
    return offering;
  }
  float slope = min(fall * params.inverse_cell * (diagonal ? 0.70710678f : 1.0f), 64.0f);
  float over = float(parcels) * params.cells_per_parcel - slope * params.capacity;
  offering.lays = over > 0.0f;
  if (offering.lays) {
    float part = over * reciprocal(float(parcels) * params.cells_per_parcel) * params.deposition;
    offering.offer = scaleByWeight(parcels, uint(int(min(part, 1.0f) * 65536.0f)));
  } else {
    offering.offer = wishOf(min(slope * params.erosion, 0.0f - over), params.wishes_per_cell);
  }
  return offering;
}

KERNELS_END

#endif
