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

// The map that a bake's tiles belong to: a window of the plane, in metres.
struct MapPlace {
  double west_m = 0;
  double north_m = 0;
  double side_m = 0;
  // The zoom of the bake's level.
  int max_zoom = 0;
};

// INVALID_ARGUMENT if the window or the region is beyond the plane or the window.
absl::StatusOr<MapPlace> MapPlaceOf(const Baking& baking);

// Extends an area to whole tiles of its level.
bake::Area WholeTiles(const bake::Area& area);

// Returns the area and the tiles above it, level by level up to level 0.
std::vector<bake::Area> PyramidOf(const bake::Area& whole_tiles);

// Fails at once if the file can't be written, the layer is not a height or the region leaves the
// map's window.
absl::Status CheckTiles(const Baking& baking);

// Writes the tiles of all levels, each with its own level's vertices. Returns the file's name.
absl::StatusOr<std::vector<std::string>> WriteTiles(const Baking& baking,
                                                    const std::vector<BakedLevel>& levels);

}  // namespace thalweg::cli
