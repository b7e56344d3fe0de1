// Random land, from only a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/elevation/elevation_file.h"

namespace thalweg::elevation {

// The sheets of a random raster for the steps 0 to `steps`: hills of some hundred metres, every way
// down the steepest of eight falls, areas and steepness at random.
std::vector<Sheet> RandomSheets(std::uint64_t seed, int width, int height, int steps);

}  // namespace thalweg::elevation
