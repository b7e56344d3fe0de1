#include "server/geographic/tiling.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "proto/wire/tile_key.h"

namespace thalweg::geographic {
namespace {

// How many levels behind its zoom a tile's level is. A tile of zoom 0 is half a circumference high
// (geographic) or a whole one (Mercator), a face of level 0 a quarter.
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
  return absl::InvalidArgumentError(
      absl::StrCat("invalid world: expected a planet, got '", world.name(), "', which is a plane"));
}

absl::Status CheckTile(Tiling tiling, const GlobeTile& tile, int max_zoom) {
  if (tile.zoom < 0 || tile.zoom > max_zoom) {
    return absl::NotFoundError(
        absl::StrCat("invalid zoom: expected 0 to ", max_zoom, ", got ", tile.zoom));
  }
  const std::int64_t columns = ColumnsAt(tiling, tile.zoom);
  if (tile.x < 0 || tile.x >= columns) {
    return absl::NotFoundError(absl::StrCat("invalid column: expected 0 to ", columns - 1,
                                            " at zoom ", tile.zoom, ", got ", tile.x));
  }
  const std::int64_t rows = RowsAt(tile.zoom);
  if (tile.y < 0 || tile.y >= rows) {
    return absl::NotFoundError(absl::StrCat("invalid row: expected 0 to ", rows - 1, " at zoom ",
                                            tile.zoom, ", got ", tile.y));
  }
  return absl::OkStatus();
}

}  // namespace thalweg::geographic
