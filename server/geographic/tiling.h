// The tiles of a globe, and which level of a planet they show.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "server/world/world.h"

namespace thalweg::geographic {

// How a pyramid of tiles is laid over the planet.
enum class Tiling : std::uint8_t {
  // EPSG:4326: latitudes are evenly spaced; two tiles at zoom 0.
  kGeographic,
  // EPSG:3857: up to 85.05° of latitude; one tile at zoom 0.
  kMercator,
};

// Columns count from 180° W to the east. Rows count from the pyramid's northern edge, as those of
// XYZ do, or from its southern one, as those of TMS: the owner of the tile must know which.
struct GlobeTile {
  int zoom = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(const GlobeTile&, const GlobeTile&) = default;
};

std::int64_t ColumnsAt(Tiling tiling, int zoom);
std::int64_t RowsAt(int zoom);

// The finest zoom with cells of the planet's last level: `samples` on a side of a
// tile are a power of two up to 512.
int MaxZoom(Tiling tiling, int samples, int levels);

// The level that tiles of a zoom show: the coarsest one whose mean cell, a quarter of the
// circumference by 256 * 2^level, is no longer than the spacing of their samples along a meridian
// at the equator; 0 where none is that coarse. Near the poles samples are closer in longitude; that
// does not raise the level.
int LevelOf(Tiling tiling, int samples, int zoom);

// INVALID_ARGUMENT unless the world is a planet.
absl::Status CheckPlanet(const world::World& world);

// NOT_FOUND, naming the range, unless the pyramid up to this zoom has the tile.
absl::Status CheckTile(Tiling tiling, const GlobeTile& tile, int max_zoom);

}  // namespace thalweg::geographic
