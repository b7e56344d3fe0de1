// Which tiles of a rectangle have not arrived yet.
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

  // Marks a tile of the rectangle as arrived. False if it had arrived before.
  bool Take(const TileKey& key);

  bool empty() const { return missing_ == 0; }

  // Returns the rows from the first to the last with a missing tile. At least one must be missing.
  TileRectangle Remaining() const;

 private:
  TileRectangle rectangle_;
  std::vector<bool> taken_;
  std::vector<std::int64_t> missing_in_row_;
  std::int64_t missing_;
};

}  // namespace thalweg
