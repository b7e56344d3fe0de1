// The tiles of a web map, as a bake writes them.
#pragma once

#include "absl/status/statusor.h"
#include "client/tools/cli/bake_files.h"
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

}  // namespace thalweg::cli
