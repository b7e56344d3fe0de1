// A square window of the plane, shown as the world of a web map: the XYZ pyramid over 2^bits x
// 2^bits tiles of level 0. Zoom bits + L shows level L.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "proto/wire/tile_key.h"

namespace thalweg::wire {

struct MapWindow {
  int bits = 4;
  // The north-western tile of level 0.
  std::int64_t west = 0;
  std::int64_t north = 0;
};

inline constexpr int kMaxWindowBits = 16;

// Returns the first tile, along an axis, of a window of 2^bits tiles around a centre in metres. The
// centre moves to the nearest corner of a tile (for a window of one tile, into the tile). Nothing
// for a centre outside the plane.
std::optional<std::int64_t> WindowCorner(double centre_m, int bits, double level0_tile_m);

// Returns the tile of a zoom, column and row (given as level, x and y). OUT_OF_RANGE outside the
// window, at zooms that show no level, and beyond the plane's end.
absl::StatusOr<TileKey> TileOf(const MapWindow& window, const TileKey& zoomed, int levels);

// Returns the zoom, column and row of a tile, as level, x and y; nothing outside the window.
std::optional<TileKey> ZoomedOf(const MapWindow& window, const TileKey& key);

}  // namespace thalweg::wire
