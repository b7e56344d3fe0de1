// Cells of a grid that are connected.
#pragma once

#include <cstddef>
#include <vector>

#include "client/survey/neighbours.h"

namespace thalweg::survey {

// Returns a cell and all cells that are connected with it over neighbours that `take(index)` takes.
// It is asked about every neighbour of each of them, and takes each cell once.
template <typename Take>
std::vector<std::size_t> RegionOf(int width, int height, std::size_t first, const Take& take) {
  std::vector<std::size_t> region = {first};
  const auto columns = static_cast<std::size_t>(width);
  for (std::size_t next = 0; next < region.size(); ++next) {
    const int cell_x = static_cast<int>(region[next] % columns);
    const int cell_y = static_cast<int>(region[next] / columns);
    for (const Step& step : kSteps) {
      const int x = cell_x + step.dx;
      const int y = cell_y + step.dy;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const std::size_t neighbour =
          static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x);
      if (take(neighbour)) region.push_back(neighbour);
    }
  }
  return region;
}

}  // namespace thalweg::survey
