// Bakes of planets.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/arguments.h"
#include "client/raster/raster_sink.h"
#include "proto/bake/bake_plan.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// INVALID_ARGUMENT for what only a plane or only a planet can do, and for layers along the axes of
// faces where pixels are of several.
absl::Status CheckShape(const BakeArguments& arguments, const WorldInfo& world);

// What is baked of a planet; its level is one of the world. INVALID_ARGUMENT or OUT_OF_RANGE if
// there is no such thing.
absl::StatusOr<bake::Area> PlanetAreaOf(const BakeArguments& arguments);

// Latitudes and longitudes of a planet as a file's system: EPSG:4326 if it has the Earth's size,
// else WKT of its own sphere.
std::string SystemOf(const WorldInfo& world);

// Where the first vertex or pixel of an area of a planet lies: in degrees, or in vertices or pixels
// of a face without a system.
raster_file::Georeference PlaceOnPlanet(const WorldInfo& world, const bake::Area& area);

// What a file tells of its grid.
std::vector<std::pair<std::string, std::string>> GridMetadataOf(const bake::Area& area);

}  // namespace thalweg::cli
