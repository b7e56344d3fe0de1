// How far shown ground may be from the planet's: clients choose levels by it.
#pragma once

#include "server/world/world.h"

namespace thalweg::tiles3d {

// Heights are 32-bit numbers of 1/65,536 m.
inline constexpr double kMaxHeightM = 32'768;

// The geometric error of a level's tiles in metres: eight cells. It halves with each level. Clients
// refine what is 16 pixels or more, so a cell, which is a pixel of a tile's picture, is drawn on
// two pixels at most. Meshes are nearer to the ground than that: README.md has measurements.
double GeometricErrorM(const world::World& world, int level);

// How far the ground of a level may be from that of the finer ones, in metres: two cells.
double MarginM(const world::World& world, int level);

// How deep skirts hang down, in metres: four cells, so one edge of a mesh's triangle. They cover
// gaps between tiles of different levels.
double SkirtM(const world::World& world, int level);

}  // namespace thalweg::tiles3d
