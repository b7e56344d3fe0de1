// A rectangle of tiles of one level, and the order in which they are asked for.
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
  // OUT_OF_RANGE unless a world with this number of levels has all its tiles; INVALID_ARGUMENT
  // for an empty one or one of more than kMaxRectangleTiles, with the limit.
  static absl::StatusOr<TileRectangle> Create(const wire::TileKey& first, std::uint32_t columns,
                                              std::uint32_t rows, wire::Shape shape, int levels);

  std::size_t size() const { return static_cast<std::size_t>(columns_ * rows_); }
  // The nth tile in Z order of the level's grid (Morton 1966): tiles of one block, and blocks of
  // one parent, stand together, wherever the rectangle begins.
  wire::TileKey TileAt(std::size_t n) const;

 private:
  // From the first tile, in tiles.
  struct Square {
    std::int64_t x;
    std::int64_t y;
    std::int64_t size;
  };

  TileRectangle(const wire::TileKey& first, std::int64_t columns, std::int64_t rows)
      : first_(first), columns_(columns), rows_(rows) {}
  // How many tiles of a square are in the rectangle.
  std::size_t TilesIn(const Square& square) const;
  // Of two by two squares, in Z order, the one with the nth tile. Makes n count from it.
  Square FindAmong(const Square& first, std::size_t& n) const;

  wire::TileKey first_;
  std::int64_t columns_;
  std::int64_t rows_;
};

// A checked request for a rectangle: the key of `tile_query` is to be filled in with each tile's.
struct RectangleQuery {
  TileQuery tile_query;
  TileRectangle rectangle;
};

absl::StatusOr<RectangleQuery> ParseRectangleQuery(std::shared_ptr<const world::World> world,
                                                   const v1::StreamTilesRequest& request);

}  // namespace thalweg::tile
