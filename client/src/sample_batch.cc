#include "client/src/sample_batch.h"

#include <cmath>
#include <set>
#include <utility>

namespace thalweg {

std::size_t SampleBatch(std::span<const GroundPoint> points, double tile_side_m,
                        std::size_t max_points, std::size_t max_tiles) {
  std::set<std::pair<double, double>> tiles;
  std::size_t count = 0;
  for (; count < points.size() && count < max_points; ++count) {
    const GroundPoint& point = points[count];
    tiles.emplace(std::floor(point.east_m / tile_side_m), std::floor(point.south_m / tile_side_m));
    if (tiles.size() > max_tiles) break;
  }
  return count == 0 ? 1 : count;
}

}  // namespace thalweg
