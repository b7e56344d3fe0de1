// The changes from one set of drawn tiles to another.
#pragma once

#include <span>

#include "thalweg/drawn_tile.h"

namespace thalweg {

// Returns the changes. Both sets must be sorted by key and cover ground without overlap; they may
// be empty. `arrived`, `complete` and `finest` keep their defaults.
FrameChanges ChangesBetween(std::span<const DrawnTile> before, std::span<const DrawnTile> after);

}  // namespace thalweg
