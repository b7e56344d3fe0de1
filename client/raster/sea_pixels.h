// A sea without data at a raster's edges.
#pragma once

#include <string>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::raster_file {

// What the missing pixels are that touch a raster's edge, directly or over other missing ones.
enum class NoData {
  // The sea where those around them are low and near its level; else cut off.
  kFind,
  // The sea.
  kSea,
  // Holes, which are filled as those inside are.
  kHole,
  // Cut off.
  kCut,
};

// Gives missing pixels that are sea the height of the sea, and clears them in `missing`. Adds a
// line to `notes` if there are any.
void FillSea(NoData no_data, double sea_level_m, survey::Grid<bool>& missing,
             survey::Grid<double>& ground_m, std::vector<std::string>& notes);

}  // namespace thalweg::raster_file
