// Random land, from only a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "proto/elevation/elevation_file.h"

namespace thalweg::elevation {

// The sheets of a random raster for the steps 0 to `steps`. Hills are some hundred metres high,
// each way goes to the neighbour with the steepest fall, and areas and steepness are random.
std::vector<Sheet> RandomSheets(std::uint64_t seed, int width, int height, int steps);

}  // namespace thalweg::elevation
