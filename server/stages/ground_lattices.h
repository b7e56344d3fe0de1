// Lattices of `ground`'s noise.
#pragma once

#include <array>
#include <cstdint>

#include "server/stages/level_numbers.h"

namespace thalweg::stages {

// Vectors of the length 25 and of the length 65, or for a planet quaternions of these norms:
// lattices with these turns have the same cells. A level uses two of each, and the next level the
// others, so that neighbouring levels are turned differently.
struct GroundTurns {
  int a;  // of 25
  int b;
  int c;  // of 65
  int d;
};
GroundTurns TurnsOf(const LevelNumbers& level);

// A lattice with cells of a length in metres, packed by farLattice or farSpaceLattice. All levels
// know the same number of its cells, or a feature would be another one at the next level: the
// finest level decides.
int FarLattice(double length_m, std::uint32_t turn, const LevelNumbers& level);

// 1 over the length of the turn of such a lattice.
float PerFarTurn(int lattice, const LevelNumbers& level);

// Two numbers of -16 to 16, packed by packedPair16.
int PackedPair(double first, double second);

// The side of a level's cell in metres.
double CellMetres(const LevelNumbers& level);

}  // namespace thalweg::stages
