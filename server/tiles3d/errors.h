// The errors of shown ground, by which clients choose levels.
#pragma once

#include "server/world/world.h"

namespace thalweg::tiles3d {

// Heights are 32-bit numbers in units of 1/65,536 m.
inline constexpr double kMaxHeightM = 32'768;

// The geometric error of a level's tiles in metres: eight cells. It halves with each level. Clients
// refine errors of 16 pixels or more, so a cell, which is a pixel of a tile's picture, is drawn on
// at most two pixels. Meshes are closer to the ground than that: README.md has measurements.
double GeometricErrorM(const world::World& world, int level);

// How far the ground of finer levels may be from that of this level, in metres: two cells.
double MarginM(const world::World& world, int level);

// The depth of skirts in metres: four cells, which is one edge of a mesh's triangle. Skirts cover
// gaps between tiles of different levels.
double SkirtM(const world::World& world, int level);

}  // namespace thalweg::tiles3d
