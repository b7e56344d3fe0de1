// Which tiles of a rectangle have not come yet.
#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/tile.h"

namespace thalweg {

// Not thread-safe. The rectangle must have 1 to kMaxStreamTiles tiles.
class MissingTiles {
 public:
  explicit MissingTiles(const TileRectangle& rectangle);

  // Whether the tile is in the rectangle.
  bool Contains(const TileKey& key) const;

  // Ticks off a tile of the rectangle. False if it had come before.
  bool Take(const TileKey& key);

  bool empty() const { return missing_ == 0; }

  // The rows that still miss a tile, from the first to the last of them. There must be one.
  TileRectangle Remaining() const;

 private:
  TileRectangle rectangle_;
  std::vector<bool> taken_;
  std::vector<std::int64_t> missing_in_row_;
  std::int64_t missing_;
};

}  // namespace thalweg
