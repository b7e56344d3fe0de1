// A rectangle of tiles of one level, and the order in which the tiles are computed.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "proto/wire/limits.h"
#include "proto/wire/tile_key.h"
#include "server/tile/tile_query.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::tile {

using wire::kMaxRectangleTiles;

class TileRectangle {
 public:
  // OUT_OF_RANGE unless a world with this number of levels has all the tiles; INVALID_ARGUMENT,
  // with the limit, if the rectangle is empty or has more than kMaxRectangleTiles.
  static absl::StatusOr<TileRectangle> Create(const wire::TileKey& first, std::uint32_t columns,
                                              std::uint32_t rows, wire::Shape shape, int levels);

  std::size_t size() const { return static_cast<std::size_t>(columns_ * rows_); }
  // The nth tile in Z order of the level's grid (Morton 1966). Tiles of one block, and blocks of
  // one parent, follow each other, wherever the rectangle begins.
  wire::TileKey TileAt(std::size_t n) const;

 private:
  // A square in tiles, relative to the first tile.
  struct Square {
    std::int64_t x;
    std::int64_t y;
    std::int64_t size;
  };

  TileRectangle(const wire::TileKey& first, std::int64_t columns, std::int64_t rows)
      : first_(first), columns_(columns), rows_(rows) {}
  // How many tiles of a square are in the rectangle.
  std::size_t TilesIn(const Square& square) const;
  // The one of two by two squares, in Z order, that has the nth tile. Makes n count from its first.
  Square FindAmong(const Square& first, std::size_t& n) const;

  wire::TileKey first_;
  std::int64_t columns_;
  std::int64_t rows_;
};

// A checked request for a rectangle. The caller sets the key of `tile_query` for each tile.
struct RectangleQuery {
  TileQuery tile_query;
  TileRectangle rectangle;
};

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request);

}  // namespace thalweg::tile
