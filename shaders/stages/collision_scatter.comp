// Every particle takes its share of the last step's settlement, moves and hits the ground. It adds
// its energy, its count and the load that it can't carry to two corners of the cell that it
// reached, and its water to the flow. pass.argument: the step's part of its life, in 1/256.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "particle_state.glsl"
#include "standing.glsl"
#include "water.glsl"

ivec4 cornersOf(int cell) {
  return ivec4(surfaceAt(cell), surfaceAt(cell + 1), surfaceAt(cell + pass.stride),
               surfaceAt(cell + pass.stride + 1));
}

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Particle particle = loadParticle(i);
  if (particle.position.x == kDeadPosition) return;

  int cell = i + (particle.position.y >> 8) * pass.stride + (particle.position.x >> 8);
  Footprint foot = footprint(particle.position);
  uint share = exchangedShare(freightOf(particle, params), foot, cell + foot.row * pass.stride);
  Slope slope = slopeAt(particle.position, cornersOf(cell), params.inverse_cell);
  particle.load = particle.load + share;
  particle = drawnParticle(particle, slope, params);

  // As in droplet_scatter.comp.
  int cell_x = columnHere() + (particle.position.x >> 8);
  int cell_y = rowHere() + (particle.position.y >> 8);
  if (min(cell_x, cell_y) < pass.live_first || max(cell_x, cell_y) > pass.live_last) {
    movers[i] = packedWords(packedPair(ivec2(kDeadPosition, 0)), 0u);
    return;
  }
  cell = i + (particle.position.y >> 8) * pass.stride + (particle.position.x >> 8);
  slope = slopeAt(particle.position, cornersOf(cell), params.inverse_cell);
  Impact impact = impactOn(particle, slope, params);
  particle = impact.particle;
  storeParticle(i, particle);

  foot = footprint(particle.position);
  int o = cell + foot.row * pass.stride;
  Freight freight = freightOf(particle, params);
  ADD_SUMS(o, countShare(freight, foot.west_weight), parcelShare(freight, foot.west_weight));
  ADD_SUMS(o + 1, countShare(freight, foot.east_weight), parcelShare(freight, foot.east_weight));
  uint west = energyShare(impact.energy, freight, foot.west_weight);
  uint east = energyShare(impact.energy, freight, foot.east_weight);
  if (west != 0u) atomicAdd(discharge[o], west);
  if (east != 0u) atomicAdd(discharge[o + 1], east);
  int nearest = foot.east_weight > 32768 ? o + 1 : o;
  atomicAdd(flow[nearest], int((particle.water * uint(pass.argument)) >> 10));
}
