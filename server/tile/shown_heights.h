// Heights as they are shown: passed through the world's height curve.
#pragma once

#include "server/field/field.h"
#include "server/tile/tile_layers.h"
#include "server/tile/tile_query.h"

namespace thalweg::tile {

// Passes those planes through the curve that are heights: the ground's and the water's. What the
// field says of a tile's deviation is of shown heights already.
void ShowHeights(const TileQuery& query, const Sources& sources, field::TileValues& values);

}  // namespace thalweg::tile
