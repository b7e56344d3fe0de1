// What a tile is likely to be, from what is known of it and of the tiles that cover it.
#pragma once

#include "proto/lod/grid.h"
#include "proto/lod/tile_facts.h"

namespace thalweg::lod {

// In metres.
struct Forecast {
  // How far the ground would be off if this tile were drawn in place of its children.
  double error_m = 0;
  // Between which heights its ground lies; not known as long as no tile that covers it is.
  bool has_heights = false;
  double min_height_m = 0;
  double max_height_m = 0;
};

// Relief is much alike at every scale, so a tile's children stray from it about half as far as it
// strays from its own parent: that distance is measured, and halves with every level below the last
// tile that is known. Never less than the 64th of a cell to which heights are rounded. Level 0 has
// no parent: it counts as straying by a cell.
Forecast ForecastOf(const Grid& grid, const wire::TileKey& key, FactsOf facts_of);

}  // namespace thalweg::lod
