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

// INVALID_ARGUMENT for options that need the other kind of world, and for layers along a face's
// axes if the pixels lie on several faces.
absl::Status CheckShape(const BakeArguments& arguments, const WorldInfo& world);

// The area of a planet to bake, at a level that the world has. INVALID_ARGUMENT or OUT_OF_RANGE if
// there is no such area.
absl::StatusOr<bake::Area> PlanetAreaOf(const BakeArguments& arguments);

// The reference system of a planet's latitudes and longitudes: EPSG:4326 if it has the Earth's
// size, otherwise WKT of its own sphere.
std::string SystemOf(const WorldInfo& world);

// Where the first vertex or pixel of an area of a planet lies: in degrees, or in vertices or pixels
// of a face without a system.
raster_file::Georeference PlaceOnPlanet(const WorldInfo& world, const bake::Area& area);

// A file's metadata about its grid.
std::vector<std::pair<std::string, std::string>> GridMetadataOf(const bake::Area& area);

}  // namespace thalweg::cli
