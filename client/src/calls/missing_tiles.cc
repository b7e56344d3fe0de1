#include "client/src/calls/missing_tiles.h"

namespace thalweg {
namespace {

// The distance from `first` to `value`, which is not smaller; exact for all 64-bit values.
std::uint64_t Past(std::int64_t value, std::int64_t first) {
  return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first);
}

}  // namespace

MissingTiles::MissingTiles(const TileRectangle& rectangle)
    : rectangle_(rectangle),
      taken_(static_cast<std::size_t>(rectangle.columns * rectangle.rows), false),
      missing_in_row_(static_cast<std::size_t>(rectangle.rows), rectangle.columns),
      missing_(rectangle.columns * rectangle.rows) {}

bool MissingTiles::Contains(const TileKey& key) const {
  const TileKey& first = rectangle_.first;
  return key.face == first.face && key.level == first.level && key.x >= first.x &&
         key.y >= first.y &&
         Past(key.x, first.x) < static_cast<std::uint64_t>(rectangle_.columns) &&
         Past(key.y, first.y) < static_cast<std::uint64_t>(rectangle_.rows);
}

bool MissingTiles::Take(const TileKey& key) {
  const std::size_t row = Past(key.y, rectangle_.first.y);
  const std::size_t column = Past(key.x, rectangle_.first.x);
  const std::size_t index = row * static_cast<std::size_t>(rectangle_.columns) + column;
  if (taken_[index]) return false;
  taken_[index] = true;
  --missing_in_row_[row];
  --missing_;
  return true;
}

TileRectangle MissingTiles::Remaining() const {
  std::int64_t first = 0;
  std::int64_t last = rectangle_.rows - 1;
  while (missing_in_row_[static_cast<std::size_t>(first)] == 0) ++first;
  while (missing_in_row_[static_cast<std::size_t>(last)] == 0) --last;
  TileRectangle remaining = rectangle_;
  remaining.first.y += first;
  remaining.rows = last - first + 1;
  return remaining;
}

}  // namespace thalweg
