// The window of a plane that a URL's query names.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/http/parameters.h"
#include "server/world/world.h"

namespace thalweg::http {

using wire::MapWindow;

// Reads `window`, the window's bits, 0 to 16, and `x` and `y`, its centre in metres. The centre is
// moved to the nearest corner of a tile; for a window of one tile, into the tile. INVALID_ARGUMENT
// for a value that is not a number or out of range, and for a planet.
absl::StatusOr<MapWindow> ParseWindow(const Parameters& parameters, const world::World& world);

// A query that ParseWindow reads as this window: "window=4&x=0&y=0".
std::string QueryOf(const MapWindow& window, const world::World& world);

}  // namespace thalweg::http
