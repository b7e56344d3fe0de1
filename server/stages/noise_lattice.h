// Lattices of the noise: how a wavelength becomes a turn and a shift.
#pragma once

#include <cstdint>

#include "shaders/kernels/noise.glsl"

namespace thalweg::stages {

// A lattice whose cells are this many vertex cells wide (1 to 2^40), to within 3 %, and turned
// against the vertex grid. `turn` picks one of eight angles: its last three bits count.
kernels::Lattice TurnedLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream);

// The same for space: `turn` is one of kSpaceTurns rotations.
kernels::Lattice SpaceLattice(double wavelength_cells, std::uint32_t turn, std::uint32_t stream);

// The lattice of a planet or of a plane.
kernels::Lattice NoiseLattice(bool in_space, double wavelength_cells, std::uint32_t turn,
                              std::uint32_t stream);

}  // namespace thalweg::stages
