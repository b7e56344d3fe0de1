// Particles end: each takes its last share, and the load that it still carries is added, in grains,
// to the wash load of the vertex north-west of it.
#include "bindings.glsl"

PARAMETERS(CollisionMoveParams)

#include "particle_state.glsl"
#include "standing.glsl"

void main() {
  if (outsidePass()) return;
  int i = vertexHere();
  Particle particle = loadParticle(i);
  if (particle.position.x == kDeadPosition) return;
  int cell = i + (particle.position.y >> 8) * pass.stride + (particle.position.x >> 8);
  Footprint foot = footprint(particle.position);
  uint load = particle.load +
              exchangedShare(freightOf(particle, params), foot, cell + foot.row * pass.stride);
  if (load != 0u) {
    ADD_LONG(cell, load);
  }
}
