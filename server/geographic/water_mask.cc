#include "server/geographic/water_mask.h"

#include <algorithm>
#include <cstddef>

#include "server/geographic/right_triangles.h"

namespace thalweg::geographic {
namespace {

constexpr char kLand = 0;
constexpr char kWater = static_cast<char>(255);

// Pixels in a row of the mask, and in a row of a cell.
constexpr int kPixels = 256;
constexpr int kInCell = kPixels / kMeshCells;

}  // namespace

std::string WaterMaskOf(const std::vector<bool>& wet) {
  if (std::ranges::count(wet, wet.front()) == static_cast<std::ptrdiff_t>(wet.size())) {
    return {wet.front() ? kWater : kLand};
  }
  const auto at = [&](int column, int row) {
    return wet[static_cast<std::size_t>(row) * kMeshSide + static_cast<std::size_t>(column)] ? 1
                                                                                             : 0;
  };
  std::string mask;
  mask.reserve(std::size_t{kPixels} * kPixels);
  for (int y = 0; y < kPixels; ++y) {
    // Rows from the south, in eighths of a cell: the middle of a pixel is an odd number of them.
    const int up = kPixels - 1 - y;
    const int row = up / kInCell;
    const int north = 2 * (up % kInCell) + 1;
    for (int x = 0; x < kPixels; ++x) {
      const int column = x / kInCell;
      const int east = 2 * (x % kInCell) + 1;
      constexpr int kAll = 2 * kInCell;
      const int south_part = at(column, row) * (kAll - east) + at(column + 1, row) * east;
      const int north_part = at(column, row + 1) * (kAll - east) + at(column + 1, row + 1) * east;
      const int share = south_part * (kAll - north) + north_part * north;
      mask += 2 * share > kAll * kAll ? kWater : kLand;
    }
  }
  return mask;
}

}  // namespace thalweg::geographic
