// Every particle takes its share of the last step's settlement, moves and hits the ground. It adds
// its energy, its count and the load that it can't carry to two corners of the cell that it
// reached, and its water to the flow. pass.argument: the step's part of its life, in 1/256.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "particle_state.glsl"
#include "water.glsl"

// The plane of the cell under a position.
Slope slopeUnder(ivec2 position) {
  ivec2 cell = cellUnder(position);
  ivec4 places = cornersFrom(cell);
  vec2 rise = riseAt(position, ivec4(surfaceAt(places.x), surfaceAt(places.y), surfaceAt(places.z), surfaceAt(places.w)),
                     params.inverse_cell);
  return slopeOf(rise, ascentFrom(cell, rise));
}

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  Particle particle = loadParticle(i);
  if (particle.position.x == kDeadPosition) return;

  Footprint foot = footprint(particle.position);
  uint share = exchangedShare(freightOf(particle, params), foot, placesUnder(foot, particle.position));
  particle.load = particle.load + share;
  particle = drawnParticle(particle, slopeUnder(particle.position), params);

  // As in droplet_scatter.comp.
  if (!isLive(cellUnder(particle.position))) {
    killParticle(i);
    return;
  }
  Impact impact = impactOn(particle, slopeUnder(particle.position), params);
  particle = impact.particle;
  storeParticle(i, particle);

  foot = footprint(particle.position);
  ivec2 under = placesUnder(foot, particle.position);
  Freight freight = freightOf(particle, params);
  ADD_SUMS(under.x, countShare(freight, foot.west_weight), parcelShare(freight, foot.west_weight));
  ADD_SUMS(under.y, countShare(freight, foot.east_weight), parcelShare(freight, foot.east_weight));
  uint west = energyShare(impact.energy, freight, foot.west_weight);
  uint east = energyShare(impact.energy, freight, foot.east_weight);
  if (west != 0u) atomicAdd(discharge[under.x], west);
  if (east != 0u) atomicAdd(discharge[under.y], east);
  int nearest = foot.east_weight > 32768 ? under.y : under.x;
  atomicAdd(flow[nearest], int((particle.water * uint(pass.argument)) >> 10));
}
