// A bake as the tiles of a web map.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/bake_levels.h"
#include "client/cli/bake_raster.h"
#include "proto/bake/bake_plan.h"

namespace thalweg::cli {

// The area, extended to whole tiles of its level.
bake::Area WholeTiles(const bake::Area& area);

// The area and the tiles above it, level by level up to the first.
std::vector<bake::Area> PyramidOf(const bake::Area& whole_tiles);

// Fails now if the file can't be written, the layer is not a height or the region leaves the map's
// window.
absl::Status CheckTiles(const Baking& baking);

// Writes the tiles of all levels; each holds its own level's vertices. Gives the file's name.
absl::StatusOr<std::vector<std::string>> WriteTiles(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels);

}  // namespace thalweg::cli
