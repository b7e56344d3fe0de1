// A bake's parts, put together in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/survey/grid.h"
#include "thalweg/layer.h"

namespace thalweg::cli {

using BakedGrids = std::vector<survey::Grid<std::int32_t>>;

// Returns the values of the first `layers` layers of the parts for an area of the level.
absl::StatusOr<BakedGrids> ReadArea(const BakedLevel& level, const bake::Area& area,
                                    std::size_t layers);

// Returns each layer's values for the whole area. The parts must have these layers.
absl::StatusOr<BakedGrids> ReadGrids(const BakedLevel& level, const std::vector<Layer>& layers);

}  // namespace thalweg::cli
