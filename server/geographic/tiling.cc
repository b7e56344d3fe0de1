#include "server/geographic/tiling.h"

#include <algorithm>
#include <bit>

#include "proto/wire/invalid.h"
#include "proto/wire/tile_key.h"

namespace thalweg::geographic {
namespace {

// By how much a tile's level is lower than its zoom. A tile of zoom 0 has the height of half a
// circumference (geographic) or of a whole one (Mercator), a face of level 0 that of a quarter.
int LevelsBehind(Tiling tiling, int samples) {
  const int quarters_bits = tiling == Tiling::kGeographic ? 1 : 2;
  const int fewer_bits = std::countr_zero(static_cast<unsigned>(wire::kTileCells)) -
                         std::countr_zero(static_cast<unsigned>(samples));
  return quarters_bits + fewer_bits;
}

}  // namespace

std::int64_t ColumnsAt(Tiling tiling, int zoom) {
  return std::int64_t{1} << (tiling == Tiling::kGeographic ? zoom + 1 : zoom);
}

std::int64_t RowsAt(int zoom) { return std::int64_t{1} << zoom; }

int MaxZoom(Tiling tiling, int samples, int levels) {
  return levels - 1 + LevelsBehind(tiling, samples);
}

int LevelOf(Tiling tiling, int samples, int zoom) {
  return std::max(zoom - LevelsBehind(tiling, samples), 0);
}

absl::Status CheckPlanet(const world::World& world) {
  if (world.spec().has_sphere()) return absl::OkStatus();
  return wire::Invalid("world", "a planet", absl::StrCat("the plane '", world.name(), "'"));
}

absl::Status CheckTile(Tiling tiling, const GlobeTile& tile, int max_zoom) {
  constexpr absl::StatusCode kNotFound = absl::StatusCode::kNotFound;
  if (tile.zoom < 0 || tile.zoom > max_zoom) {
    return wire::Invalid("zoom", absl::StrCat("0 to ", max_zoom), tile.zoom, kNotFound);
  }
  const std::int64_t columns = ColumnsAt(tiling, tile.zoom);
  if (tile.x < 0 || tile.x >= columns) {
    return wire::Invalid("column", absl::StrCat("0 to ", columns - 1, " at zoom ", tile.zoom),
                         tile.x, kNotFound);
  }
  const std::int64_t rows = RowsAt(tile.zoom);
  if (tile.y < 0 || tile.y >= rows) {
    return wire::Invalid("row", absl::StrCat("0 to ", rows - 1, " at zoom ", tile.zoom), tile.y,
                         kNotFound);
  }
  return absl::OkStatus();
}

}  // namespace thalweg::geographic
