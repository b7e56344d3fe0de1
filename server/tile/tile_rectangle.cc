#include "server/tile/tile_rectangle.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/status_macros.h"

namespace thalweg::tile {

absl::StatusOr<TileRectangle> TileRectangle::Create(const wire::TileKey& first,
                                                    std::uint32_t columns, std::uint32_t rows,
                                                    int levels) {
  const std::uint64_t tiles = std::uint64_t{columns} * rows;
  if (tiles == 0 || tiles > kMaxRectangleTiles) {
    return absl::InvalidArgumentError(absl::StrCat("rectangle of ", columns, " x ", rows,
                                                   " tiles: must be 1 to ", kMaxRectangleTiles));
  }
  // The first one is checked before the last is known, whose coordinates could overflow.
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(first, levels));
  wire::TileKey last = first;
  last.x += columns - 1;
  last.y += rows - 1;
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(last, levels));

  TileRectangle rectangle(first);
  rectangle.order_.reserve(tiles);
  const auto size = static_cast<std::int64_t>(std::bit_ceil(std::max(columns, rows)));
  // Aligned squares as large as the longer side: two by two of them cover the rectangle.
  const std::int64_t west = (first.x & -size) - first.x;
  const std::int64_t north = (first.y & -size) - first.y;
  for (const std::int64_t y : {north, north + size}) {
    for (const std::int64_t x : {west, west + size}) {
      rectangle.AddQuadrant(x, y, size, columns, rows);
    }
  }
  return rectangle;
}

void TileRectangle::AddQuadrant(std::int64_t x, std::int64_t y, std::int64_t size,
                                std::int64_t columns, std::int64_t rows) {
  if (x >= columns || y >= rows || x + size <= 0 || y + size <= 0) return;
  if (size == 1) {
    order_.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)});
    return;
  }
  const std::int64_t half = size / 2;
  AddQuadrant(x, y, half, columns, rows);
  AddQuadrant(x + half, y, half, columns, rows);
  AddQuadrant(x, y + half, half, columns, rows);
  AddQuadrant(x + half, y + half, half, columns, rows);
}

wire::TileKey TileRectangle::TileAt(std::size_t n) const {
  wire::TileKey key = first_;
  key.x += order_[n].x;
  key.y += order_[n].y;
  return key;
}

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(TileQuery form, ParseForm(std::move(world), request.layers(),
                                                     request.precision(), request.priority()));
  THALWEG_ASSIGN_OR_RETURN(TileRectangle rectangle,
                           TileRectangle::Create(FromProto(request.first()), request.columns(),
                                                 request.rows(), form.world->levels()));
  return RectangleQuery{std::move(form), std::move(rectangle)};
}

}  // namespace thalweg::tile
