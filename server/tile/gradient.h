// Normals and slopes. The arithmetic is rounded alike on every machine: + - * / and sqrt of
// doubles, which the build never contracts.
#pragma once

#include <cstdint>

namespace thalweg::tile {

// How much higher the eastern neighbour of a vertex is than the western one, and the southern one
// than the northern one, in height units.
struct Rise {
  double east = 0;
  double south = 0;
};

// In both functions `run` is the length of two cells in height units, above 0.

// The tangent of the steepness in 1/65,536; at most the largest int32.
std::int32_t SlopeOf(const Rise& rise, double run);

// The unit normal, packed as in LAYER_NORMAL: exact, or with components on the normals' lattice.
std::int32_t NormalOf(const Rise& rise, double run);
std::int32_t RoundedNormalOf(const Rise& rise, double run);

}  // namespace thalweg::tile
