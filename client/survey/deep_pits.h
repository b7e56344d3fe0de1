// Where water ends inland.
#pragma once

#include <cstdint>
#include <vector>

#include "client/survey/grid.h"

namespace thalweg::survey {

// The lowest vertices of depressions that are deeper than `min_depth` under the lowest way out of
// them to a lower depression, to the grid's edge or to a vertex at or under `outlet`: their
// persistence (Edelsbrunner, Letscher & Zomorodian 2002), which tells a basin from a rough bed. In
// the order of their ways out.
std::vector<std::int32_t> DeepPits(const Grid<double>& surface, double outlet, double min_depth);

}  // namespace thalweg::survey
