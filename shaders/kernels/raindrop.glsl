// Raindrops that move from vertex to vertex, down the steepest of eight ways. A drop digs soil at
// the vertex that it leaves, in proportion to the slope. At the next vertex it lays down a part of
// the load over what that slope can carry. In a pit it stays and lays down its whole load, until
// the pit is full.
//
// A diagonal's fall is weighted by 1 / (2 - u) with a random u (Fairfield & Leymarie 1991, "Rho8").
// So the mean direction of many drops is the direction of the slope, not the nearest of eight.
// Every fall also loses a random part, so that drops spread over the ways down.
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
  float deposition;  // part of the load over the capacity that is laid down
  float limit;
  float wander;  // max random part that a fall loses
  float wishes_per_cell;
  float cells_per_parcel;
  float grains_per_unit;  // of height
  int grain_bits;
  uint stream;  // separates the rain of levels and stages
};

struct Raindrop {
  ivec2 position;    // in cells, from the vertex where it fell
  ivec2 offered_at;  // the vertex that got its last offer
  bool lays;         // whether the offer is parcels to lay down, not a wish to dig
  uint offer;        // under 2^31
  uint load;         // grains
};

// A hash of the drop that fell at (x, y), for this step.
KERNEL uint hashRaindrop(uint seed, uint x, uint y, int step, RaindropParams params) {
  uint mixed = (x * 0x9e3779b1u) ^ (y * 0x85ebca77u + 0x165667b1u);
  return pcg(pcg(mixed + seed) + uint(step) * 0xc2b2ae3du + params.stream * 0x27d4eb2fu);
}

// Where a drop's last load is washed to, from where it ends: -kWashSpread to under kWashSpread in
// each axis. Hundreds of drops end in one pit, and the wash load of a vertex must stay under 32 km.
CONSTANT int kWashSpread = 8;
KERNEL ivec2 washedTo(uint h) { return ivec2(int(h & 15u), int((h >> 4) & 15u)) - kWashSpread; }

// The random weight of the fall in a direction.
KERNEL float wayWeight(uint h, int direction, RaindropParams params) {
  float chance = float((pcg(h) >> (4 * direction)) & 15u) * 0.0625f;
  float weight = 1.0f - params.wander * chance;
  if ((direction & 1) == 0) return weight;
  return weight * reciprocal(2.0f - float(h >> 16) * 1.52587890625e-5f);
}

// What a drop offers at a vertex, from its fall in height units over a straight step or a diagonal one; 0: it is in a
// pit. The caller sets its position and where it offers.
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
