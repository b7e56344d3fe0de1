// An estimate of a tile's error and heights, from known facts of it and of the tiles that cover it.
#pragma once

#include "proto/lod/grid.h"
#include "proto/lod/tile_facts.h"

namespace thalweg::lod {

// An estimate; all numbers are in metres.
struct Forecast {
  // The error of the ground if this tile were drawn in place of its children.
  double error_m = 0;
  // The range of its ground's heights; unknown until a tile that covers it is known.
  bool has_heights = false;
  double min_height_m = 0;
  double max_height_m = 0;
};

// Estimates a tile. Relief is similar at every scale: a tile's children differ from it about half
// as much as it differs from its own parent. That difference is measured, and halves with every
// level below the last known tile. It is never less than 1/64 of a cell, to which heights are
// rounded. Level 0 has no parent: its difference counts as one cell.
Forecast ForecastOf(const Grid& grid, const wire::TileKey& key, FactsOf facts_of);

}  // namespace thalweg::lod
