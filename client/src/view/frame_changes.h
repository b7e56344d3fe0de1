// How one set of drawn tiles becomes another.
#pragma once

#include <span>

#include "thalweg/drawn_tile.h"

namespace thalweg {

// The steps from one set to the next, tiles by key; both are sorted by key, cover ground without
// overlap and may be empty. What arrived, complete and finest are left as they are.
FrameChanges ChangesBetween(std::span<const DrawnTile> before, std::span<const DrawnTile> after);

}  // namespace thalweg
