#include "proto/wire/tile_key.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::wire {
namespace {

constexpr int kSphereFaces = 6;
constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;

absl::Status CheckFace(int face, Shape shape) {
  if (shape == Shape::kPlane) {
    if (face == 0) return absl::OkStatus();
    return Invalid("tile face", "0, since the world is a plane", face, kOutOfRange);
  }
  if (face >= 0 && face < kSphereFaces) return absl::OkStatus();
  return Invalid("tile face", absl::StrCat("0 to ", kSphereFaces - 1), face, kOutOfRange);
}

}  // namespace

absl::Status CheckTileKey(const TileKey& key, Shape shape, int levels) {
  if (absl::Status status = CheckFace(key.face, shape); !status.ok()) return status;
  if (key.level < 0 || key.level >= levels) {
    return Invalid("tile level", absl::StrCat("0 to ", levels - 1), key.level, kOutOfRange);
  }
  constexpr std::int64_t kPlaneEnd = kMaxVertex / kTileCells;
  const bool plane = shape == Shape::kPlane;
  const std::int64_t begin = plane ? -kPlaneEnd : 0;
  const std::int64_t end = plane ? kPlaneEnd : std::int64_t{1} << key.level;
  for (const auto& [name, coordinate] : {std::pair("tile x", key.x), std::pair("tile y", key.y)}) {
    if (coordinate >= begin && coordinate < end) continue;
    return Invalid(name, absl::StrCat(begin, " to ", end - 1, " at level ", key.level), coordinate,
                   kOutOfRange);
  }
  return absl::OkStatus();
}

Shape WidestShapeOf(const TileKey& key) { return key.face == 0 ? Shape::kPlane : Shape::kSphere; }

std::string AreaOf(std::string_view world, const TileKey& key) {
  const int levels = std::max(key.level, 0) % kAreaLevels;
  // World names are not longer; the server refuses other names.
  const std::string name =
      absl::CHexEscape(absl::string_view(world.data(), std::min(world.size(), std::size_t{64})));
  return absl::StrCat(name, "/", key.face, "/", key.level - levels, "/", key.x >> levels, "/",
                      key.y >> levels);
}

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
