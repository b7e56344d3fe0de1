// How far ground lies below its surroundings, to shade valleys softly.
#pragma once

#include <cstdint>
#include <vector>

#include "client/picture/relief.h"

namespace thalweg::picture {

// Returns about the concavity, as a slope, at each vertex of the rows [first_row, first_row +
// rows). It is the mean height of the 2 radius + 1 square around the vertex, smoothed again by the
// same square, minus the vertex's height, over radius cells. Above 0 in valleys, below 0 on ridges.
// Beyond the border its values are repeated. Rows may be computed in any parts.
std::vector<float> ValleyDepth(const HeightGrid& grid, int first_row, int rows, int radius);

}  // namespace thalweg::picture
