// The check of a set of drawn tiles.
#pragma once

#include <vector>

#include "proto/lod/surface.h"
#include "thalweg/drawn_tile.h"

namespace thalweg::cli {

// Whether tiles cover their ground without overlap, and no tile is beside one that is two levels
// coarser or finer. The surface is that of the tiles' world.
bool IsWithoutCracks(const std::vector<DrawnTile>& tiles, const lod::Surface& surface);

}  // namespace thalweg::cli
