// How many points one call may sample.
#pragma once

#include <cstddef>
#include <set>
#include <span>

namespace thalweg {

// Returns how many of the first points fit within the limits of points and of tiles; at least 1.
// There must be a point. `tile_of` returns a sortable value that is equal for points on the same
// tile.
template <typename Point, typename TileOf>
std::size_t SampleBatch(std::span<const Point> points, TileOf tile_of, std::size_t max_points,
                        std::size_t max_tiles) {
  std::set<decltype(tile_of(points.front()))> tiles;
  std::size_t count = 0;
  for (; count < points.size() && count < max_points; ++count) {
    tiles.insert(tile_of(points[count]));
    if (tiles.size() > max_tiles) break;
  }
  return count == 0 ? 1 : count;
}

}  // namespace thalweg
