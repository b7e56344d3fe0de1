// How far ground lies below its surroundings, for the soft shade of valleys.
#pragma once

#include <cstdint>
#include <vector>

#include "client/picture/relief.h"

namespace thalweg::picture {

// For each vertex of the rows [first_row, first_row + rows): the mean height of the square of 2
// radius + 1 vertices around it, smoothed once more by the same square, less its own height, over
// radius cells: about the concavity as a slope. Above 0 in valleys, below on ridges. Beyond the
// border, the border's heights are used. The result does not depend on the division into rows.
std::vector<float> ValleyDepth(const HeightGrid& grid, int first_row, int rows, int radius);

}  // namespace thalweg::picture
