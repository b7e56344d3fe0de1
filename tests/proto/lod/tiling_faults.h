// The faults of a set of tiles that should cover the ground.
#pragma once

#include <string>
#include <vector>

#include "proto/lod/grid.h"

namespace thalweg::lod {

// A line a fault: tiles that overlap, a gap in a level-0 tile of `roots`, tiles that touch but
// differ by more than a level. Empty when nothing is wrong.
std::vector<std::string> TilingFaults(const Grid& grid, const std::vector<wire::TileKey>& tiles,
                                      const std::vector<wire::TileKey>& roots);

}  // namespace thalweg::lod
