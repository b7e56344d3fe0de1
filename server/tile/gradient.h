// Normals and slopes, by arithmetic that every machine rounds alike: + - * / and sqrt of doubles,
// whose contraction the build forbids.
#pragma once

#include <cstdint>

namespace thalweg::tile {

// How much higher the ground is at a vertex's eastern neighbour than at its western one, and at its
// southern than at its northern, in height units.
struct Rise {
  double east = 0;
  double south = 0;
};

// Both take the run too: two cells in height units, above 0.

// The tangent of the steepness in 1/65,536, saturated at the largest int32.
std::int32_t SlopeOf(const Rise& rise, double run);

// The unit normal as LAYER_NORMAL has it: exact, or its components on the normals' lattice.
std::int32_t NormalOf(const Rise& rise, double run);
std::int32_t RoundedNormalOf(const Rise& rise, double run);

}  // namespace thalweg::tile
