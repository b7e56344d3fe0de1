// Bakes of planets.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/tools/cli/arguments.h"
#include "client/tools/raster/raster_sink.h"
#include "proto/bake/bake_plan.h"
#include "thalweg/world_info.h"

namespace thalweg::cli {

// INVALID_ARGUMENT for options that need the other kind of world, and for layers along a face's
// axes if the pixels lie on several faces.
absl::Status CheckShape(const BakeArguments& arguments, const WorldInfo& world);

// Returns the area of a planet to bake, at a level that the world has. INVALID_ARGUMENT or
// OUT_OF_RANGE if no such area exists.
absl::StatusOr<bake::Area> PlanetAreaOf(const BakeArguments& arguments);

// Returns the reference system of a planet's latitudes and longitudes: EPSG:4326 if it has the
// Earth's size, otherwise WKT of its own sphere.
std::string SystemOf(const WorldInfo& world);

// Returns the place of an area's first vertex or pixel on a planet: in degrees, or in vertices or
// pixels of a face, without a system.
raster_file::Georeference PlaceOnPlanet(const WorldInfo& world, const bake::Area& area);

// Returns a file's metadata about its grid.
std::vector<std::pair<std::string, std::string>> GridMetadataOf(const bake::Area& area);

}  // namespace thalweg::cli
