// Particles end: each takes its last share, and the load that it still carries is added, in grains,
// to the wash load of the vertex north-west of it.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "standing.glsl"
#include "ground_place.glsl"
#include "mover_place.glsl"
#include "particle_state.glsl"

void main() {
  if (beyondRow()) return;
  int i = vertexHere();
  Particle particle = loadParticle(i);
  if (particle.position.x == kDeadPosition) return;
  Footprint foot = footprint(particle.position);
  uint load = particle.load +
              exchangedShare(freightOf(particle, params), foot, placesUnder(foot, particle.position));
  if (load != 0u) {
    ADD_LONG(placeFrom(cellUnder(particle.position)), load);
  }
}
