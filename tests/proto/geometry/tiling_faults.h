// The faults of a set of tiles that should cover the ground.
#pragma once

#include <string>
#include <vector>

#include "proto/geometry/surface.h"

namespace thalweg::lod {

// One line per fault: tiles that overlap, a gap in one of the `roots`, or tiles that touch and
// differ by more than a level. Empty if there is no fault.
std::vector<std::string> TilingFaults(const WorldGrid& grid,
                                      const std::vector<wire::TileKey>& tiles,
                                      const std::vector<wire::TileKey>& roots);

}  // namespace thalweg::lod
