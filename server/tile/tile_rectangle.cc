#include "server/tile/tile_rectangle.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::tile {

absl::StatusOr<TileRectangle> TileRectangle::Create(const wire::TileKey& first,
                                                    std::uint32_t columns, std::uint32_t rows,
                                                    wire::Shape shape, int levels) {
  const std::uint64_t tiles = std::uint64_t{columns} * rows;
  if (tiles == 0 || tiles > kMaxRectangleTiles) {
    return wire::Invalid("rectangle", absl::StrCat("1 to ", kMaxRectangleTiles, " tiles"),
                         absl::StrCat(columns, " x ", rows));
  }
  // The first tile is checked first: else the coordinates of the last one could overflow.
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(first, shape, levels));
  wire::TileKey last = first;
  last.x += columns - 1;
  last.y += rows - 1;
  THALWEG_RETURN_IF_ERROR(wire::CheckTileKey(last, shape, levels));

  return TileRectangle(first, columns, rows);
}

std::size_t TileRectangle::TilesIn(const Square& square) const {
  const auto shared = [](std::int64_t from, std::int64_t size, std::int64_t end) {
    return std::max(std::int64_t{0}, std::min(from + size, end) - std::max(from, std::int64_t{0}));
  };
  return static_cast<std::size_t>(shared(square.x, square.size, columns_) *
                                  shared(square.y, square.size, rows_));
}

TileRectangle::Square TileRectangle::FindAmong(const Square& first, std::size_t& n) const {
  Square square = first;
  for (int k = 0; k < 4; ++k) {
    square.x = first.x + (k % 2) * first.size;
    square.y = first.y + (k / 2) * first.size;
    const std::size_t tiles = TilesIn(square);
    if (n < tiles) break;
    n -= tiles;
  }
  return square;
}

wire::TileKey TileRectangle::TileAt(std::size_t n) const {
  // Aligned squares as large as the longer side; two by two of them cover the rectangle.
  const auto size = static_cast<std::int64_t>(
      std::bit_ceil(static_cast<std::uint64_t>(std::max(columns_, rows_))));
  Square square = FindAmong(
      {.x = (first_.x & -size) - first_.x, .y = (first_.y & -size) - first_.y, .size = size}, n);
  while (square.size > 1) {
    square = FindAmong({.x = square.x, .y = square.y, .size = square.size / 2}, n);
  }
  wire::TileKey key = first_;
  key.x += square.x;
  key.y += square.y;
  return key;
}

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request) {
  THALWEG_ASSIGN_OR_RETURN(
      TileQuery tile_query,
      ParseWithoutKey(std::move(world), request.layers(), request.precision(), request.priority()));
  THALWEG_ASSIGN_OR_RETURN(
      const TileRectangle rectangle,
      TileRectangle::Create(FromProto(request.first()), request.columns(), request.rows(),
                            ShapeOf(*tile_query.world), tile_query.world->levels()));
  return RectangleQuery{std::move(tile_query), rectangle};
}

}  // namespace thalweg::tile
