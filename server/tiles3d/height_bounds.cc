#include "server/tiles3d/height_bounds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "proto/wire/tile_key.h"
#include "server/tiles3d/errors.h"

namespace thalweg::tiles3d {

HeightBounds WidestBounds(const world::World& world) {
  return {-kMaxHeightM - SkirtM(world, 0), kMaxHeightM};
}

HeightBounds SubtreeHeights::Of(const Cell& cell) const {
  const int levels = cell.level - root_.level;
  const int side = wire::kTileCells >> levels;
  const wire::TileKey root = TileOf(root_);
  const wire::TileKey key = TileOf(cell);
  const auto first = [&](std::int64_t at, std::int64_t root_at) {
    return static_cast<std::size_t>((at - (root_at << levels)) * side);
  };
  std::int32_t min = std::numeric_limits<std::int32_t>::max();
  std::int32_t max = std::numeric_limits<std::int32_t>::min();
  for (int row = 0; row <= side; ++row) {
    const std::size_t begin =
        (first(key.y, root.y) + static_cast<std::size_t>(row)) * wire::kTileVertices +
        first(key.x, root.x);
    for (const std::int32_t height : heights_.subspan(begin, static_cast<std::size_t>(side) + 1)) {
      min = std::min(min, height);
      max = std::max(max, height);
    }
  }
  const double margin_m = MarginM(world_, root_.level);
  return {std::max(std::ldexp(min, -16) - margin_m, -kMaxHeightM) - SkirtM(world_, cell.level),
          std::min(std::ldexp(max, -16) + margin_m, kMaxHeightM)};
}

}  // namespace thalweg::tiles3d
