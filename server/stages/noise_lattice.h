// Lattices of noise: they turn a wavelength into a turn and a shift.
#pragma once

#include <cstdint>

#include "server/stages/recorder.h"
#include "shaders/kernels/noise.glsl"

namespace thalweg::stages {

// A lattice with cells of this many vertex cells (1 to 2^40), to within 3 %. It is turned against
// the vertex grid; `turn` picks one of eight angles by its last three bits.
kernels::Lattice TurnedLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream);

// The same for positions in whole cells: a lattice cell has 2^shift of their units, a 256th of
// those above.
kernels::Lattice VertexLattice(double wavelength_cells, std::uint32_t turn);

// The same for space: `turn` picks one of kSpaceTurns rotations.
kernels::Lattice SpaceLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream);

// SpaceLattice for a planet, TurnedLattice for a plane.
kernels::Lattice NoiseLattice(bool in_space, double wavelength_cells, std::uint32_t turn,
                              std::uint32_t stream);

// Makes the table of a lattice's gradients that tabledNoise reads
// (shaders/stages/noise_table.glsl), for this many streams from the lattice's own on. Lattices in
// space have none.
void RecordTable(const kernels::Lattice& lattice, int streams, Recorder& recorder);

}  // namespace thalweg::stages
