// Finds where water ends inland.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::survey {

// Returns the lowest vertices of depressions that are deeper than `min_depth` below their lowest
// way out: to a lower depression, to the grid's edge or to a vertex at or below `outlet`. This
// depth is their persistence (Edelsbrunner, Letscher & Zomorodian 2002), which distinguishes a
// basin from a rough bed. Ordered by the heights of their ways out.
std::vector<std::int32_t> DeepPits(const Grid<double>& surface, double outlet, double min_depth);

}  // namespace thalweg::survey
