#include "proto/wire/map_window.h"

#include <cmath>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::wire {

std::optional<std::int64_t> WindowCorner(double centre_m, int bits, double level0_tile_m) {
  // Tiles of level 0 from the origin to the plane's end.
  constexpr double kMaxTiles = static_cast<double>(kMaxVertex) / kTileCells;
  // A window's centre is a corner of four tiles; that of a single tile is inside the tile.
  const bool single = bits == 0;
  const double tiles = centre_m / level0_tile_m;
  const double middle = single ? std::floor(tiles) : std::round(tiles);
  const bool inside = middle >= -kMaxTiles && middle <= (single ? kMaxTiles - 1 : kMaxTiles);
  if (!inside) return std::nullopt;
  return static_cast<std::int64_t>(middle) - (single ? 0 : std::int64_t{1} << (bits - 1));
}

absl::StatusOr<TileKey> TileOf(const MapWindow& window, const TileKey& zoomed, int levels) {
  const int level = zoomed.level - window.bits;
  if (level < 0 || level >= levels) {
    return Invalid("zoom", absl::StrCat(window.bits, " to ", window.bits + levels - 1),
                   zoomed.level, absl::StatusCode::kOutOfRange);
  }
  const std::int64_t side = std::int64_t{1} << zoomed.level;
  if (zoomed.x < 0 || zoomed.y < 0 || zoomed.x >= side || zoomed.y >= side) {
    return Invalid("column or row", absl::StrCat("0 to ", side - 1, " at zoom ", zoomed.level),
                   absl::StrCat(zoomed.x, " and ", zoomed.y), absl::StatusCode::kOutOfRange);
  }
  const TileKey key{.face = 0,
                    .level = level,
                    .x = window.west * (std::int64_t{1} << level) + zoomed.x,
                    .y = window.north * (std::int64_t{1} << level) + zoomed.y};
  THALWEG_RETURN_IF_ERROR(CheckTileKey(key, Shape::kPlane, levels));
  return key;
}

std::optional<TileKey> ZoomedOf(const MapWindow& window, const TileKey& key) {
  const std::int64_t scale = std::int64_t{1} << key.level;
  const TileKey zoomed{.face = 0,
                       .level = window.bits + key.level,
                       .x = key.x - window.west * scale,
                       .y = key.y - window.north * scale};
  const std::int64_t side = std::int64_t{1} << zoomed.level;
  const bool inside = zoomed.x >= 0 && zoomed.y >= 0 && zoomed.x < side && zoomed.y < side;
  return inside ? std::optional(zoomed) : std::nullopt;
}

}  // namespace thalweg::wire
