#include "client/src/ground/ground.h"

#include <algorithm>
#include <cmath>

#include "client/src/ground/ground_patch.h"

namespace thalweg {

std::optional<wire::TileKey> KeyAt(const lod::Grid& grid, const lod::Place& place, int level) {
  double x = std::floor(std::ldexp(place.x, level));
  double y = std::floor(std::ldexp(place.y, level));
  if (lod::ShapeOf(grid) == wire::Shape::kSphere) {
    // A point on the far edge of a planet's face belongs to the last tiles.
    const double last = std::ldexp(1, level) - 1;
    x = std::min(x, last);
    y = std::min(y, last);
  }
  constexpr double kMax = static_cast<double>(wire::kMaxVertex) / wire::kTileCells;
  if (!(std::abs(x) < kMax && std::abs(y) < kMax)) return std::nullopt;
  return wire::TileKey{.face = place.face,
                       .level = level,
                       .x = static_cast<std::int64_t>(x),
                       .y = static_cast<std::int64_t>(y)};
}

FinestTile FinestTileAt(const lod::Grid& grid, TileAt tile_at, const lod::Place& place) {
  FinestTile finest;
  for (int level = 0; level < grid.levels; ++level) {
    const auto key = KeyAt(grid, place, level);
    std::shared_ptr<const Tile> finer = key ? tile_at(*key) : nullptr;
    if (finer == nullptr) break;
    finest = {*key, std::move(finer)};
  }
  return finest;
}

std::optional<double> GroundHeightAt(const lod::Grid& grid, TileAt tile_at,
                                     const lod::Place& place) {
  const auto [key, tile] = FinestTileAt(grid, tile_at, place);
  if (tile == nullptr) return std::nullopt;
  const PlaceInTile at = InTile(key, place);
  const int column = std::clamp(static_cast<int>(at.x), 0, kTileCells - 1);
  const int row = std::clamp(static_cast<int>(at.y), 0, kTileCells - 1);
  return Patch(*tile, column, row).At(at.x - column, at.y - row);
}

}  // namespace thalweg
