// A square window of the plane as the world of a web map: XYZ's pyramid over 2^bits x 2^bits tiles
// of level 0. Zoom bits + L shows level L.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"
#include "server/http/parameters.h"
#include "server/world/world.h"

namespace thalweg::http {

struct MapWindow {
  int bits = 4;
  // The north-western tile of level 0.
  std::int64_t west = 0;
  std::int64_t north = 0;
};

// Reads `window`, the window's bits, 0 to 16, and `x` and `y`, its centre in metres, which is moved
// to the nearest corner of a tile (of a single tile: into it). INVALID_ARGUMENT for what is no
// number, or out of range.
absl::StatusOr<MapWindow> ParseWindow(const Parameters& parameters, const world::World& world);

// The query that ParseWindow reads as the same window: "window=4&x=0&y=0".
std::string QueryOf(const MapWindow& window, const world::World& world);

// The tile of a zoom, column and row (as level, x and y). OUT_OF_RANGE outside of the window, at
// zooms that show no level, and beyond the plane's end.
absl::StatusOr<wire::TileKey> TileOf(const MapWindow& window, const wire::TileKey& zoomed,
                                     int levels);

}  // namespace thalweg::http
